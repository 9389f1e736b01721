import { spawn, type ChildProcess } from 'node:child_process';
import { GUARD_SCRIPT } from './guard-script.ts';

/** Processes outside the server's session that end it when this process is gone. */
export interface Guards {
  /** Process group that the guards end besides what carries the nonce; `null` = none now. */
  watch(group: number | null): void;
  pids(): number[];
  /** Lets them go: they end themselves, and nothing else. */
  close(): void;
}

export interface GuardOptions {
  nonce: string;
  /** PATH for the shell's tools, and what the remover of the container needs. */
  env: Readonly<Record<string, string>>;
  /** Container of the server and the program that removes it. */
  container?: { name: string; remover: string };
  /**
   * More than one, in sessions of their own: whoever kills this process and one guard, or the whole
   * group of the server, is still followed by another.
   */
  count: number;
}

/** A guard that was killed is replaced, but not for ever. */
const MAX_REPLACEMENTS = 20;

/** Started before the server, so that there is no moment without them. No-op on Windows. */
export function startGuards(options: GuardOptions): Guards {
  const running = new Set<ChildProcess>();
  let group: number | null = null;
  let closed = false;
  let replacements = 0;

  const start = (): void => {
    const guard = spawnGuard(options);
    if (guard === null) return;
    running.add(guard);
    tell(guard, group);
    guard.once('exit', () => {
      running.delete(guard);
      if (closed || replacements >= MAX_REPLACEMENTS) return;
      replacements += 1;
      start();
    });
  };
  for (let index = 0; index < options.count; index += 1) start();
  return {
    watch: (next) => {
      group = next;
      for (const guard of running) tell(guard, group);
    },
    pids: () => [...running].flatMap(({ pid }) => pid ?? []),
    close: () => {
      closed = true;
      for (const guard of running) {
        // Without this it would end whatever runs with the nonce by then: the next try.
        if (guard.stdin?.writable === true) guard.stdin.end('done\n');
      }
    },
  };
}

function spawnGuard(options: GuardOptions): ChildProcess | null {
  if (process.platform === 'win32') return null;
  const { nonce, container } = options;
  const guard = spawn(
    '/bin/sh',
    ['-c', GUARD_SCRIPT, 'vivarium-guard', nonce, container?.name ?? '', container?.remover ?? ''],
    {
      detached: true,
      shell: false,
      cwd: '/',
      env: { ...options.env, LC_ALL: 'C' },
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  );
  // A guard that cannot start or has just died is replaced by the others.
  guard.on('error', () => {});
  guard.stdin?.on('error', () => {});
  // It holds up no exit of ours: that is what it waits for.
  guard.unref();
  (guard.stdin as { unref?: () => void } | null)?.unref?.();
  return guard;
}

function tell(guard: ChildProcess, group: number | null): void {
  if (guard.stdin?.writable === true) guard.stdin.write(`${group ?? ''}\n`);
}
