import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { VivariumError, messageOf } from '../../lib/index.ts';
import type { ChildExit, OwnedChild, StartChild } from '../child.ts';
import { createLineSplitter, type LineHandlers } from '../log/index.ts';
import type { LaunchCommand } from '../servers/types.ts';
import { NONCE_VARIABLE } from './process-finder.ts';

/** The leader of a server's processes. */
export interface ServerProcess {
  readonly pid: number;
  /** Settles once, when it is gone; never rejects. */
  readonly exited: Promise<ChildExit>;
  /** Settles when all it printed has been read, or a moment after its end. */
  readonly drained: Promise<void>;
  /** For children of ours: ends it by its own means; others have none. */
  readonly child: OwnedChild | null;
}

export interface SpawnOptions extends LineHandlers {
  nonce: string;
  startChild: StartChild;
  onMessage: (message: unknown) => void;
}

/**
 * Starts a server in a session of its own. On Linux the kernel also asks it to end when this process
 * is gone (`setpriv --pdeathsig`): TERM, not KILL, because a server that ends in order takes its own
 * children along even where nobody else is left to do so.
 *
 * @throws VivariumError `engine_missing` when there is no such program, `engine_failed` when the
 * system refuses to start it
 */
export async function startServerProcess(
  command: LaunchCommand,
  options: SpawnOptions,
): Promise<ServerProcess> {
  const env = { ...command.env, ...markingEnvironment(options.nonce) };
  if (command.kind === 'program') return startProgram({ ...command, env }, options);
  const child = await options.startChild({
    entry: command.entry,
    env,
    onMessage: options.onMessage,
    onLine: options.onLine,
  });
  child.send(command.start);
  return { pid: child.pid, exited: child.exited, drained: afterEnd(child.exited), child };
}

/** Children that got away hold the pipes open: the end is not waited for longer than this. */
const DRAIN_MS = 300;

async function afterEnd(exited: Promise<ChildExit>): Promise<void> {
  await exited;
  await sleep(DRAIN_MS);
}

function markingEnvironment(nonce: string): Record<string, string> {
  return {
    [NONCE_VARIABLE]: nonce,
    NO_PROXY: '127.0.0.1,localhost,::1',
    no_proxy: '127.0.0.1,localhost,::1',
    // Python servers that set their process title write it over their environment otherwise, and
    // the nonce would be gone (see the README of the package setproctitle).
    SPT_NOENV: '1',
  };
}

type Program = Extract<LaunchCommand, { kind: 'program' }>;

async function startProgram(command: Program, options: SpawnOptions): Promise<ServerProcess> {
  const [program = '', ...words] = command.argv;
  checkStart(program, command);
  const prefix = deathSignalPrefix();
  const [file = '', ...argv] = [...prefix, program, ...words];
  const child = spawn(file, argv, {
    detached: true,
    shell: false,
    windowsHide: true,
    cwd: command.cwd,
    env: command.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    const splitter = createLineSplitter(options);
    stream.on('data', splitter.write);
    stream.once('close', splitter.end);
    stream.on('error', () => {});
  }
  const exited = new Promise<ChildExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (fault) => reject(startError(program, fault)));
  });
  child.on('error', () => {});
  const drained = Promise.race([closed, afterEnd(exited)]);
  return { pid: child.pid ?? 0, exited, drained, child: null };
}

/** Told before the start: afterwards a missing folder and a missing program look alike. */
function checkStart(program: string, command: Program): void {
  if (statSync(command.cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new VivariumError(
      'engine_failed',
      `The working folder ${command.cwd} of the engine is missing.`,
      'Make the folder, then start again.',
    );
  }
  const folders = isAbsolute(program) ? [''] : (command.env['PATH'] ?? '').split(delimiter);
  if (folders.some((folder) => isExecutable(folder === '' ? program : join(folder, program))))
    return;
  throw new VivariumError(
    'engine_missing',
    `The engine's program ${program} is not there or cannot be run.`,
    'Name where the engine is in the profile (source), then start again.',
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function startError(program: string, fault: unknown): VivariumError {
  return new VivariumError(
    'engine_failed',
    `The system does not start ${program}: ${messageOf(fault)}`,
    'Check the limits on processes and memory of this user, then try again.',
    fault,
  );
}

let knownPrefix: string[] | undefined;

/** util-linux has it since 2.31; BusyBox's has not. */
function deathSignalPrefix(): string[] {
  if (process.platform !== 'linux') return [];
  knownPrefix ??= ['/usr/bin/setpriv', '/bin/setpriv', '/run/current-system/sw/bin/setpriv']
    .filter(isExecutable)
    .filter((file) =>
      spawnSync(file, ['--help'], { encoding: 'utf8' }).stdout.includes('pdeathsig'),
    )
    .slice(0, 1)
    .flatMap((file) => [file, '--pdeathsig', 'TERM', '--']);
  return knownPrefix;
}
