/** Runs the real command in a child process, for tests. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';

const MAIN = path.join(import.meta.dirname, 'main.ts');

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** What is on stderr so far. */
  stderr(): string;
  ended: Promise<Ended>;
}

/** Starts `vivarium` with these words. */
export function startCli(
  words: readonly string[],
  options: { env?: Record<string, string>; cwd?: string } = {},
): Running {
  const child = spawn(process.execPath, [MAIN, ...words], {
    stdio: ['pipe', 'pipe', 'pipe'],
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, stderr: () => stderr, ended };
}

/** Runs `vivarium` with these words and waits for its end. */
export async function runCliProcess(
  words: readonly string[],
  options: { env?: Record<string, string>; cwd?: string; input?: string | Uint8Array } = {},
): Promise<Ended> {
  const { child, ended } = startCli(words, options);
  // The command may end without reading its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  return ended;
}
