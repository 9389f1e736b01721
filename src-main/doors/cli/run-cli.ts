import { CommanderError, type Command } from 'commander';
import type { Action } from './action.ts';
import type { Console } from './console.ts';
import { tellFailure, usageError } from './failure.ts';
import { createProgram, nameOf } from './program.ts';

/** The command that the words were meant for, as far as they name one. */
function commandOf(program: Command, words: readonly string[]): Command {
  let command = program;
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) break;
    command = next;
  }
  return command;
}

/** Commander ends help and version by throwing, as it does errors. */
function isHelp(thrown: unknown): boolean {
  return thrown instanceof CommanderError && thrown.exitCode === 0;
}

/** `vivarium` and `vivarium images` alone. */
function isMissingCommand(thrown: unknown): boolean {
  return thrown instanceof CommanderError && thrown.code === 'commander.help';
}

/** Runs one command line and returns its exit code; never rejects. */
export async function runCli(words: readonly string[], console: Console): Promise<number> {
  let action: Action | undefined;
  const program = createProgram(console, (chosen) => {
    action = chosen;
  });
  const command = commandOf(program, words);
  try {
    program.parse(words, { from: 'user' });
    return (await action?.()) ?? 0;
  } catch (thrown) {
    if (isHelp(thrown)) return 0;
    const told = { command: nameOf(command), json: words.includes('--json') };
    if (!isMissingCommand(thrown)) return await tellFailure(console, thrown, told);
    console.err(command.helpInformation());
    const missing = usageError('no command was named', 'Choose one of the commands above.');
    return await tellFailure(console, missing, told);
  }
}
