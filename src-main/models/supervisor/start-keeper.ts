import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { VivariumError, isAlive, makeFolderSync, messageOf, newId } from '../../lib/index.ts';
import { ERROR_CODES, type ErrorCode } from '../../contract/index.ts';
import type { ServerStatus } from '../servers/types.ts';
import { toError } from './failure.ts';
import { makeServerFolder, readJson, removeFile, serverFiles } from './files.ts';
import { writeAtomically, type ServerFiles } from './files.ts';
import { KEEPER_REPORT_VARIABLE, type KeeperReport } from './keeper-report.ts';
import { pauseUnless } from './pause.ts';
import { readServerStatus } from './read-status.ts';

export interface StartKeeperOptions {
  /** Program and words that run the keeper of this server. */
  argv: readonly string[];
  /** Environment of the keeper: that of this process, in general. */
  env: Readonly<Record<string, string | undefined>>;
  /** VIVARIUM_HOME. */
  home: string;
  /** Of the server. */
  name: string;
  /** Aborted while it loads, the keeper and its server are ended. */
  signal?: AbortSignal;
  onStatus?: (status: ServerStatus) => void;
}

const LOOK_MS = 100;
/** Takes as much room as a record of a server does. */
const NO_REPORT = 'null'.padEnd(16 * 1024);
/** For a keeper that was asked to end; its server has 5 s. */
const END_MS = 10_000;

/**
 * Starts a keeper in a session of its own, which outlives this process and its terminal, and resolves
 * when its server is ready.
 *
 * @throws VivariumError `engine_failed` with the recorded failure, or what the keeper reported
 * (`server_running`, `gpu_busy`, ...); the signal's reason when aborted, with nothing left
 */
export async function startKeeper(options: StartKeeperOptions): Promise<ServerStatus> {
  options.signal?.throwIfAborted();
  const files = serverFiles(options.home, options.name);
  makeServerFolder(files);
  // Of this keeper alone: two may be started at once, and one of them is refused.
  const report = join(files.folder, `keeper-report-${newId()}.json`);
  // Where there is no room for it, the keeper could neither begin nor say why.
  writeAtomically(report, NO_REPORT);
  const before = readServerStatus(options.home, options.name).owner;
  const keeper = spawnKeeper(options, files, report);
  const ended = new AbortController();
  let fault: unknown = null;
  keeper.once('error', (error) => {
    fault = error;
    ended.abort();
  });
  keeper.once('exit', () => ended.abort());
  try {
    return await follow(options, files, report, before, ended.signal);
  } catch (error) {
    if (fault !== null) throw keeperError(options.name, messageOf(fault));
    throw error;
  } finally {
    if (options.signal?.aborted === true) await endKeeper(keeper, ended.signal);
    removeFile(report);
    keeper.unref();
  }
}

function spawnKeeper(
  options: StartKeeperOptions,
  files: ServerFiles,
  report: string,
): ChildProcess {
  makeFolderSync(dirname(files.keeperLog), 0o700);
  const output = openSync(files.keeperLog, 'w', 0o600);
  const [program = '', ...words] = options.argv;
  try {
    return spawn(program, words, {
      detached: true,
      // Not the folder that the command was called in: it may be on a stick.
      cwd: options.home,
      shell: false,
      windowsHide: true,
      env: { ...options.env, [KEEPER_REPORT_VARIABLE]: report },
      stdio: ['ignore', output, output],
    });
  } finally {
    closeSync(output);
  }
}

async function follow(
  options: StartKeeperOptions,
  files: ServerFiles,
  report: string,
  before: string | null,
  ended: AbortSignal,
): Promise<ServerStatus> {
  const { signal, home, name } = options;
  const wake = signal === undefined ? ended : AbortSignal.any([ended, signal]);
  let seen = '';
  let mine = false;
  for (;;) {
    signal?.throwIfAborted();
    // Looked at first, so that what it wrote before its end is seen after it.
    const over = ended.aborted;
    const told = readJson(report) as KeeperReport | null;
    const status = readServerStatus(home, name);
    mine ||= status.owner !== null && status.owner !== before && isAlive(status.owner);
    const text = mine ? JSON.stringify(status) : seen;
    if (text !== seen) options.onStatus?.(status);
    seen = text;
    if (mine && (status.state === 'ready' || status.state === 'busy')) return status;
    if (mine && status.state === 'failed' && status.failure !== null && told === null) {
      throw toError(name, status.failure);
    }
    if (told !== null) throw new VivariumError(toCode(told.code), told.message, told.next);
    // While this keeper lives, what was stopped was another's: the two began at once.
    if (over && mine && status.state === 'stopped') throw stoppedError(name);
    if (over) throw keeperError(name, lastLine(files.keeperLog));
    await pauseUnless(LOOK_MS, wake);
  }
}

function toCode(code: string): ErrorCode {
  return Object.hasOwn(ERROR_CODES, code) ? (code as ErrorCode) : 'internal';
}

async function endKeeper(keeper: ChildProcess, ended: AbortSignal): Promise<void> {
  if (ended.aborted) return;
  keeper.kill('SIGTERM');
  await pauseUnless(END_MS, ended);
  if (!ended.aborted) keeper.kill('SIGKILL');
}

function stoppedError(name: string): VivariumError {
  return new VivariumError(
    'server_not_running',
    `The server of ${name} was stopped while it loaded.`,
    `Start it again: \`vivarium models start ${name}\``,
  );
}

function keeperError(name: string, why: string): VivariumError {
  return new VivariumError(
    'engine_failed',
    `The keeper of ${name} ended before its server was ready${why === '' ? '.' : `: ${why}`}`,
    'Start the server in the foreground to see more, or try again.',
  );
}

function lastLine(file: string): string {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.findLast((line) => line.trim() !== '')?.slice(0, 400) ?? '';
  } catch {
    return '';
  }
}
