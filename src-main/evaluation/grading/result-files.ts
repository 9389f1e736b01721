import { VivariumError } from '../../lib/index.ts';
import type { Workspace } from '../../workspaces/index.ts';
import { RESULTS_FOLDER } from './workspace-options.ts';

/** Those that readers know come first. */
const KNOWN = [
  'reward.json',
  'reward.txt',
  'junit.xml',
  'ctrf.json',
  'output.json',
  'patcheval.json',
];
const MAX_FILES = 32;
const MAX_FILE_BYTES = 32 * 2 ** 20;
const MAX_TOTAL_BYTES = 64 * 2 ** 20;
const MAX_ENTRIES = 10_000;
/** A name becomes a key of the record; what is not plain was not written for us. */
const PLAIN_NAME = /^[\w.+@-]{1,100}(?:\/[\w.+@-]{1,100}){0,3}$/;

/** Bounded files below `/logs/verifier`, by their path there; links are not followed out of it. */
export async function resultFiles(workspace: Workspace): Promise<Record<string, Uint8Array>> {
  const listed = await workspace.list(RESULTS_FOLDER, { maxEntries: MAX_ENTRIES });
  const names = (listed?.entries ?? [])
    .filter(({ kind, path }) => kind === 'file' && PLAIN_NAME.test(path))
    .map(({ path }) => path)
    .toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .slice(0, MAX_FILES);
  const files: Record<string, Uint8Array> = {};
  let total = 0;
  for (const name of names) {
    const bytes = await bytesOf(workspace, `${RESULTS_FOLDER}/${name}`);
    if (bytes === undefined || total + bytes.length > MAX_TOTAL_BYTES) continue;
    total += bytes.length;
    files[name] = bytes;
  }
  return files;
}

function rank(name: string): number {
  const at = KNOWN.indexOf(name);
  return at < 0 ? KNOWN.length : at;
}

/** `undefined` for what is gone, unreadable or too large: a part of a result is none. */
async function bytesOf(workspace: Workspace, path: string): Promise<Uint8Array | undefined> {
  try {
    const read = await workspace.readFile(path, { maxBytes: MAX_FILE_BYTES });
    if (read === undefined || read.totalBytes > MAX_FILE_BYTES || read.realPath !== path) return;
    // What was read lies in a buffer of the whole answer.
    return Uint8Array.from(read.bytes);
  } catch (error) {
    if (error instanceof VivariumError && error.code === 'workspace_path') return undefined;
    throw error;
  }
}
