import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLineSplitter } from '../log/index.ts';

export interface LongQueryOptions {
  program: string;
  args: readonly string[];
  /** The whole environment of the program. */
  env: Readonly<Record<string, string>>;
  onLine: (line: string) => void;
  /** Waits before the second, third, ... start; the last one is used on and on. */
  restartAfterMs?: readonly number[];
  /** A program that is silent for this long is taken to hang; default: it may be silent. */
  silenceMs?: number;
}

/** A program that prints on and on, started again when it ends. */
export interface LongQuery {
  /** Ends it for good; resolves when it is gone. */
  stop(): Promise<void>;
}

const RESTART_AFTER_MS = [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000] as const;
/** After this long at work an end counts as the first again. */
const HEALTHY_MS = 60_000;
const STOP_LIMIT_MS = 2000;

/**
 * Runs the program and kills it when standard input ends, which it does when we are gone, however we
 * went: a query that has nothing to print would never learn it from a closed pipe. Its output is not
 * kept open by the shell, so that its end is seen at once.
 */
const SCRIPT = `
"$@" </dev/null 2>&1 &
exec >/dev/null 2>&1
IFS= read -r _
kill -s KILL $!
wait
`;

/** Starts the program in a process group of its own; it holds up no exit of this process. */
export function startLongQuery(options: LongQueryOptions): LongQuery {
  const waits = options.restartAfterMs ?? RESTART_AFTER_MS;
  let failures = 0;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: { end(): void; ended: Promise<void> } | undefined;

  const start = (): void => {
    const startedAt = performance.now();
    running = runOnce(options);
    void running.ended.then(() => {
      running = undefined;
      if (stopped) return;
      if (performance.now() - startedAt > HEALTHY_MS) failures = 0;
      timer = setTimeout(start, waits[Math.min(failures, waits.length - 1)] ?? 0);
      timer.unref();
      failures += 1;
    });
  };
  start();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      running?.end();
      // One that is stuck in the driver survives even being killed.
      const giveUp = sleep(STOP_LIMIT_MS, undefined, { ref: false });
      await Promise.race([running?.ended, giveUp]);
    },
  };
}

function runOnce(options: LongQueryOptions): { end(): void; ended: Promise<void> } {
  const child = spawn(
    '/bin/sh',
    ['-c', SCRIPT, 'vivarium-query', options.program, ...options.args],
    {
      detached: true,
      cwd: '/',
      env: options.env,
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
  let silence: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearTimeout(silence);
    child.stdin.end();
  };
  const heard = (): void => {
    clearTimeout(silence);
    if (options.silenceMs === undefined) return;
    silence = setTimeout(end, options.silenceMs);
    silence.unref();
  };
  const ended = Promise.withResolvers<void>();
  const lines = createLineSplitter({ onLine: options.onLine });
  child.stdout.on('data', (data: Buffer) => {
    heard();
    lines.write(data);
  });
  child.stdout.once('end', () => {
    lines.end();
    end();
  });
  child.stdin.on('error', () => {});
  child.once('error', () => ended.resolve());
  child.once('exit', () => {
    clearTimeout(silence);
    // Only where the shell itself was killed is anything left of its group.
    endGroup(child);
    ended.resolve();
  });
  heard();
  unref(child);
  return { end, ended: ended.promise };
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing is left.
  }
}

function unref(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout])
    (stream as { unref?: () => void } | null)?.unref?.();
}
