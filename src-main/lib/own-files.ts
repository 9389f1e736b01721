import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/**
 * Scripts of ours that run in a process or thread of their own, by their place in the sources. The
 * build makes one file of each, by its name.
 */
export const OWN_SCRIPTS = {
  cli: 'doors/cli/main.ts',
  guard: 'workspaces/docker/guard-process.ts',
  'llama-server': 'models/engines/llamacpp/server/main.ts',
  relay: 'models/engines/shared/container/relay.ts',
  'review-flags': 'patch/review-flags-worker.ts',
  'run-reader': 'core/evaluation/run-reader-worker.ts',
} as const;

export type OwnScript = keyof typeof OWN_SCRIPTS;

const ARCHIVE = 'app.asar';
const UNPACKED = 'app.asar.unpacked';

/**
 * Folder of the app: the one of its package.json. In a package it is the part that lies beside the
 * archive, because other programs cannot read what is in there.
 */
export function appFolder(from = import.meta.dirname): string {
  const start = from
    .split(path.sep)
    .map((name) => (name === ARCHIVE ? UNPACKED : name))
    .join(path.sep);
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'package.json'))) return folder;
    if (path.dirname(folder) === folder) return start;
  }
}

/** Path of a script of ours, for a program that is to run it: of the sources, or of the build. */
export function ownScript(name: OwnScript, from = import.meta.filename): string {
  const folder = appFolder(path.dirname(from));
  return from.endsWith('.ts')
    ? path.join(folder, 'src-main', OWN_SCRIPTS[name])
    : path.join(folder, 'out', 'main', `${name}.js`);
}

/**
 * Program that runs {@link ownScript}: this one, but where this is Electron. Its program is no Node
 * (the fuse `RunAsNode` is off), and what it starts ends with it; so a package brings a Node along.
 */
export function nodeProgram(
  versions: NodeJS.ProcessVersions = process.versions,
  folder = appFolder(),
): string {
  if (versions['electron'] === undefined) return process.execPath;
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  return path.basename(folder) === UNPACKED
    ? path.join(path.dirname(folder), 'node', name)
    : path.join(folder, 'node_modules', 'node', 'bin', name);
}
