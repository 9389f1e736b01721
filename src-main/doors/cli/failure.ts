import { CommanderError } from 'commander';
import { inspect } from 'node:util';
import type { ErrorCode } from '../../contract/index.ts';
import { messageOf, VivariumError } from '../../lib/index.ts';
import type { Console } from './console.ts';
import { jsonText, oneLine } from './render/safe-text.ts';

/** A failure as it is told to people and, with `--json`, to programs. */
export interface Failure {
  code: ErrorCode;
  message: string;
  next: string;
}

/** A wrong call; `next` says how to call it right. */
export function usageError(message: string, next: string): VivariumError {
  return new VivariumError('usage', message, next);
}

/** Ctrl-C is no fault of the environment, whatever it made fail; `next` says what is left of it. */
export function stoppedError(next: string, cause: unknown): VivariumError {
  return new VivariumError('stopped', 'stopped before it was done', next, cause);
}

/**
 * The value of an option that has to be given. Commander's own check would come before that for
 * unknown options, and hide a misspelt one.
 */
export function required(value: string | undefined, message: string, next: string): string {
  if (value === undefined) throw usageError(message, next);
  return value;
}

function ofCommander(error: CommanderError, command: string): Failure {
  const [first = '', ...more] = error.message.split('\n');
  const suggestion = /^\((Did you mean .*)\)$/.exec(more.join(' ').trim())?.[1];
  const help = `See \`${command} --help\`.`;
  return {
    code: 'usage',
    message: first.replace(/^error: /, '').replace(/\.$/, ''),
    next: suggestion === undefined ? help : `${suggestion} ${help}`,
  };
}

/** What to tell about anything thrown; `command` is the words up to the failing command. */
export function failureOf(thrown: unknown, command: string): Failure {
  if (thrown instanceof CommanderError) return ofCommander(thrown, command);
  if (thrown instanceof VivariumError) {
    return { code: thrown.code, message: thrown.message, next: thrown.next };
  }
  return {
    code: 'internal',
    message: messageOf(thrown) || 'something failed without saying what',
    next: 'Run it again with VIVARIUM_DEBUG=1 to see where, and report it as a fault of Vivarium.',
  };
}

/** Tells a failure on stderr, and on stdout too where a program reads it; returns the exit code. */
export async function tellFailure(
  console: Console,
  thrown: unknown,
  { command, json }: { command: string; json: boolean },
): Promise<number> {
  const failure = failureOf(thrown, command);
  console.err(`error: ${oneLine(failure.message)}\nnext: ${oneLine(failure.next)}\n`);
  if (console.env['VIVARIUM_DEBUG'] === '1') console.err(`${inspect(thrown)}\n`);
  if (json) console.out(jsonText({ error: failure }));
  // Loaded only now: the contract brings zod, which `--help` need not wait for.
  const { ERROR_CODES } = await import('../../contract/index.ts');
  return ERROR_CODES[failure.code].exit;
}
