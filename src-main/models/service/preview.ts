import path from 'node:path';
import type { LaunchCommand } from '../servers/types.ts';
import { serverFiles } from '../supervisor/index.ts';
import { reportOf, type Prepared } from './prepare.ts';
import type { ModelServiceConfig, PlanPreview } from './types.ts';

/** Stand in for what is made at the start; the port is one that no server is given. */
const KEY = 'preview-of-a-key';
const PORT = 65_535;
const BLACKED_OUT = '***';

/** What would be started, as a person would type it; nothing is started or written. */
export function previewOf(config: ModelServiceConfig, prepared: Prepared): PlanPreview {
  const { installation, engine, profile, model, plan, machine } = prepared;
  const report = reportOf(prepared);
  if (installation === null) return { ...report, commandLine: null };
  const command = engine.command({
    ...{ installation, profile, model, plan, machine },
    ...{ port: PORT, key: KEY, servedName: `${profile.name}-NONCE` },
    cacheFolder: serverFiles(config.home, profile.name).cache,
    env: config.env,
  });
  const secrets = [KEY, ...command.secrets].filter((secret) => secret !== '');
  return { ...report, commandLine: wordsOf(command).map((word) => shown(word, secrets)) };
}

function wordsOf(command: LaunchCommand): string[] {
  if (command.kind === 'program') return command.argv;
  // A script of ours is told by message what a program is told by flags.
  const told = Object.entries(command.start ?? {}).filter(([name]) => name !== 'kind');
  return [
    'node',
    path.basename(path.dirname(command.entry)) + '/' + path.basename(command.entry),
    ...told.map(([name, value]) => `--${name}=${valueOf(value)}`),
  ];
}

function valueOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function shown(word: string, secrets: readonly string[]): string {
  const clean = secrets.reduce((text, secret) => text.replaceAll(secret, BLACKED_OUT), word);
  return clean.replace(new RegExp(`(^|[=:])${String(PORT)}(?=$|[/:])`, 'g'), '$1PORT');
}
