import type { RunResult } from '../../../workspaces/index.ts';
import { stripVTControlCharacters } from 'node:util';
import { decodeOutput, shorten } from '../text/output.ts';
import {
  done,
  plainArgument,
  type Arguments,
  type FunctionContext,
  type Outcome,
} from './outcome.ts';

const KEEP_BYTES = 131_072;
/** More than an observation can show, so that its own cut decides. */
const STREAM_CHARACTERS = 60_000;

/** As wide as programs assume without a terminal, whatever the image says. */
const ENVIRONMENT = { COLUMNS: '80' };

/** Runs a command in the repository; `cmd` and `command` are alike (L10). */
export async function executeBash(args: Arguments, context: FunctionContext): Promise<Outcome> {
  const command = plainArgument(args, 'cmd') ?? plainArgument(args, 'command');
  if (command === undefined) {
    return failed('1', 'The command is empty: give it as the parameter cmd.\n');
  }
  const first = command.split(/\s+/, 1)[0] ?? '';
  if (context.blocked.includes(first)) {
    const refusal = `Bash command '${first}' is not allowed. Please use a different command or tool.\n`;
    return failed('1', refusal);
  }
  const run = await context.workspace.run({
    command,
    env: ENVIRONMENT,
    timeoutMs: context.timeoutMs,
    keepBytes: { head: KEEP_BYTES, tail: KEEP_BYTES },
    signal: context.signal,
  });
  if (run.cancelled) context.signal.throwIfAborted();
  const more = { mutated: true, run, notes: run.notes };
  if (run.timedOut) return timedOut(run, context, more);
  const streams = `[STDOUT]\n\n${textOf(run.stdout)} \n\n[STDERR]\n\n${textOf(run.stderr)}\n`;
  const help = context.help && run.outOfMemory ? [OUT_OF_MEMORY] : [];
  if (run.exitCode === 0) return done(streams, { exitCode: '0', help, ...more });
  const output = `Error executing command:\n\n${streams}`;
  const isError = run.exitCode === null || run.outOfMemory;
  return done(output, { exitCode: failure(statusOf(run)), help, isError, ...more });
}

const OUT_OF_MEMORY =
  'Out of memory: the kernel ended a process that needed more memory than there is.';

/** The original shows nothing of what was printed until then. */
function timedOut(
  run: RunResult,
  { timeoutMs, help }: FunctionContext,
  more: Partial<Outcome>,
): Outcome {
  const text = `The command took too long to execute (>${timeoutMs / 1000}s)`;
  const printed = [textOf(run.stdout), textOf(run.stderr)].filter((part) => part !== '').join('\n');
  const until = printed.slice(-2_000).toWellFormed();
  const lines = help && until !== '' ? [`The last of what it printed until then:\n${until}`] : [];
  return done(text, { exitCode: '-1', isError: true, help: lines, ...more });
}

function failed(status: string, output: string): Outcome {
  return done(output, { exitCode: failure(status), isError: true });
}

/** What the original puts in place of a code that is not 0. */
function failure(status: string): string {
  return `Error: Exit code ${status}`;
}

function statusOf(run: RunResult): string {
  if (run.exitCode !== null) return String(run.exitCode);
  return run.signal === null ? 'unknown' : `${run.signal} (signal)`;
}

function textOf(stream: RunResult['stdout']): string {
  const output = decodeOutput(stream);
  return stripVTControlCharacters(shorten(output, STREAM_CHARACTERS)).trim();
}
