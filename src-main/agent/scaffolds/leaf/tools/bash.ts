import type { RunResult } from '../../../../workspaces/index.ts';
import { filledArgument, timeoutArgument } from '../arguments.ts';
import type { ToolContext, ToolOutcome } from '../outcome.ts';
import { success } from '../outcome.ts';
import { clip, countCharacters } from '../../text/clip.ts';
import { decodeOutput, shorten } from '../../text/output.ts';

/** Leaf's `LEAF_BASH_OUTPUT_CHARS`; status, both streams and their headings together. */
const LIMIT = 30_000;
/** Four bytes a character is the most UTF-8 takes, so the limit always fits into the head. */
const KEEP_BYTES = 131_072;
/** The least that a long STDERR gets when STDOUT is long, too. */
const STDERR_SHARE = 10_000;

/** As wide as programs assume without a terminal, whatever the image says. */
const ENVIRONMENT = { COLUMNS: '80' };

/** Runs `bash -lc` in the repository (`sh` in an image without bash). */
export async function bash(
  args: Readonly<Record<string, unknown>>,
  { workspace, signal, help }: ToolContext,
): Promise<ToolOutcome> {
  const command = filledArgument(args, 'command');
  const seconds = timeoutArgument(args);
  const run = await workspace.run({
    command,
    env: ENVIRONMENT,
    timeoutMs: Math.round(seconds * 1000),
    keepBytes: { head: KEEP_BYTES, tail: KEEP_BYTES },
    signal,
  });
  if (run.cancelled) signal.throwIfAborted();
  return success(formatRun(run, seconds, help), {
    help: help ? endings(run) : [],
    // A failing command is an ordinary result.
    isError: run.timedOut || run.exitCode === null || run.outOfMemory,
    mutated: true,
    run,
    notes: run.notes,
  });
}

/** Leaf's own form; beyond its limit the middle of each stream is left out instead of the end. */
export function formatRun(run: RunResult, seconds: number, help: boolean): string {
  const status = run.timedOut
    ? `Timed out after ${seconds.toFixed(1)}s`
    : `Exit code: ${statusOf(run)}`;
  const stdout = decodeOutput(run.stdout);
  const stderr = decodeOutput(run.stderr);
  if (stdout.complete && stderr.complete) {
    const whole = `${status}\nSTDOUT:\n${stdout.head}\nSTDERR:\n${stderr.head}`;
    const clipped = clip(whole, LIMIT);
    if (clipped.dropped === 0) return whole;
    if (!help) return `${clipped.head}\n[truncated ${clipped.dropped} chars]`;
  }
  const room = LIMIT - countCharacters(`${status}\nSTDOUT:\n\nSTDERR:\n`);
  const forStderr = Math.min(stderr.size, Math.max(STDERR_SHARE, room - stdout.size));
  const first = shorten(stdout, room - forStderr);
  const second = shorten(stderr, room - Math.min(stdout.size, room - forStderr));
  return `${status}\nSTDOUT:\n${first}\nSTDERR:\n${second}`;
}

/** Python's `returncode`: negative for a signal. */
function statusOf(run: RunResult): string {
  if (run.exitCode !== null) return String(run.exitCode);
  const number = SIGNALS[run.signal ?? ''];
  return number === undefined ? (run.signal ?? 'unknown') : String(-number);
}

const SIGNALS: Record<string, number> = {
  HUP: 1,
  INT: 2,
  QUIT: 3,
  ILL: 4,
  TRAP: 5,
  ABRT: 6,
  BUS: 7,
  FPE: 8,
  KILL: 9,
  USR1: 10,
  SEGV: 11,
  USR2: 12,
  PIPE: 13,
  ALRM: 14,
  TERM: 15,
  XCPU: 24,
  XFSZ: 25,
  SYS: 31,
};

/** What the status number alone does not say (B08, B12). */
function endings(run: RunResult): string[] {
  const help: string[] = [];
  if (run.outOfMemory) {
    help.push('Out of memory: the kernel ended a process that needed more memory than there is.');
  }
  const signal = run.signal ?? signalOf(run.exitCode);
  if (signal !== null && !run.timedOut) help.push(`A process was ended by signal ${signal}.`);
  return [...help, ...run.notes];
}

/** A shell reports a child's signal as 128 + number. */
function signalOf(exitCode: number | null): string | null {
  if (exitCode === null || exitCode <= 128) return null;
  return Object.entries(SIGNALS).find(([, number]) => number === exitCode - 128)?.[0] ?? null;
}
