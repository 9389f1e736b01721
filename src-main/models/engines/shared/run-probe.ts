import { execa } from 'execa';
import { visible } from '../../../lib/index.ts';

/** What a program said about itself. */
export interface ProbeRun {
  ok: boolean;
  /** Standard output; standard error when that is empty. Without control characters. */
  text: string;
  /** Why it failed, one line; empty when it did not. */
  fault: string;
}

export interface ProbeRunOptions {
  /** The whole environment. */
  env: Readonly<Record<string, string>>;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

/**
 * Runs a program for its version or help: bounded in time and output, with nothing of our environment
 * but what is given. Never rejects but for the signal.
 */
export async function runProbe(
  command: readonly string[],
  options: ProbeRunOptions,
): Promise<ProbeRun> {
  const [file = '', ...args] = command;
  options.signal?.throwIfAborted();
  const result = await execa(file, args, {
    env: { ...options.env },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: options.timeoutMs,
    forceKillAfterDelay: 1_000,
    maxBuffer: MAX_OUTPUT_BYTES,
    ...(options.signal ? { cancelSignal: options.signal } : {}),
  });
  options.signal?.throwIfAborted();
  const stdout = visible(result.stdout);
  const stderr = visible(result.stderr);
  const fault = result.failed ? faultOf(result, stderr, options.timeoutMs) : '';
  return { ok: !result.failed, text: stdout.trim() === '' ? stderr : stdout, fault };
}

function faultOf(
  result: { timedOut: boolean; shortMessage?: string | undefined; exitCode?: number | undefined },
  stderr: string,
  timeoutMs: number,
): string {
  if (result.timedOut) return `no answer within ${String(timeoutMs / 1000)} s`;
  const last = stderr.trim().split('\n').at(-1)?.trim() ?? '';
  if (last !== '') return last.slice(0, 300);
  return result.exitCode === undefined
    ? (result.shortMessage ?? 'it does not start')
    : `exit code ${String(result.exitCode)}`;
}
