import { fork } from 'node:child_process';
import { createLineSplitter } from './log/index.ts';

/** How a child of ours ended. */
export interface ChildExit {
  code: number | null;
  /** E.g. `SIGSEGV`; `null` when it exited by itself. */
  signal: string | null;
}

export interface StartChildOptions {
  /** Absolute path of the script to run. */
  entry: string;
  /** The whole environment of the child; nothing is inherited. */
  env: Readonly<Record<string, string>>;
  /** Each message the child sends; shape is the caller's business to check. */
  onMessage: (message: unknown) => void;
  /** Each line the child prints, on either stream. */
  onLine: (line: string) => void;
}

/** A child process of ours, reached by messages; it ends itself when we are gone. */
export interface OwnedChild {
  readonly pid: number;
  /** Settles once, when the process is gone; never rejects. */
  readonly exited: Promise<ChildExit>;
  send(message: unknown): void;
  /**
   * Asks the child's process group to end, kills it after `graceMs`, and resolves when it is gone.
   * Safe to call twice.
   */
  stop(graceMs: number): Promise<void>;
}

/** Starts a child of ours. The door decides how: `forkChild` in Node, `utilityProcess` in Electron. */
export type StartChild = (options: StartChildOptions) => Promise<OwnedChild>;

/**
 * Starts a child with Node's `fork`, in a process group of its own, so that a Ctrl-C on the
 * terminal reaches only us and a stop reaches whatever the child started.
 *
 * @throws the spawn error when the process cannot be started.
 */
export const forkChild: StartChild = (options) =>
  new Promise((resolve, reject) => {
    const child = fork(options.entry, [], {
      detached: true,
      env: options.env,
      // The parent's flags (inspector, test runner) are not the child's.
      execArgv: [],
      serialization: 'advanced',
      stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    });
    child.once('error', reject);
    child.on('message', options.onMessage);
    forwardLines(child.stdout, options.onLine);
    forwardLines(child.stderr, options.onLine);
    const exited = new Promise<ChildExit>((done) => {
      child.once('exit', (code, signal) => done({ code, signal }));
    });
    child.once('spawn', () => {
      const { pid } = child;
      if (pid === undefined) return reject(new Error('The child has no process id.'));
      // A write to a child that has just died is reported by `exited`, not by the pipe.
      child.on('error', () => {});
      child.stdin?.on('error', () => {});
      resolve({
        pid,
        exited,
        send: (message) => {
          if (child.connected) child.send(message as object, () => {});
        },
        stop: (graceMs) => stopGroup(pid, exited, graceMs),
      });
    });
  });

/** Hands on each line that a child prints; `null` for a stream that it does not have. */
export function forwardLines(
  stream: NodeJS.ReadableStream | null,
  onLine: (line: string) => void,
): void {
  if (stream === null) return;
  const splitter = createLineSplitter({ onLine });
  stream.on('data', splitter.write);
  stream.once('close', splitter.end);
}

async function stopGroup(pid: number, exited: Promise<ChildExit>, graceMs: number): Promise<void> {
  signalGroup(pid, 'SIGTERM');
  if (await endsWithin(exited, graceMs)) {
    // The leader is gone; what it may have started is not asked twice.
    signalGroup(pid, 'SIGKILL');
    return;
  }
  signalGroup(pid, 'SIGKILL');
  // A process stuck in a driver survives SIGKILL; waiting for ever would hang the app with it.
  await endsWithin(exited, 5_000);
}

/** Windows has no groups: there the process alone is signalled, which ends it at once. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // Already gone.
  }
}

async function endsWithin(exited: Promise<ChildExit>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([exited.then(() => true), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
