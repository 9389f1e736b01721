import type { AskModel, Statement, StatementFacts } from '../types.ts';
import { assertionPart, plain } from './failing-output.ts';
import { leaksOf } from './leaks.ts';
import { templateStatement } from './template.ts';

const SHOWN_TESTS = 10;
const MAX_CHARS = 8_000;
/** The first answer, and one that was told what the first gave away. */
const TRIES = 2;

/**
 * What a task says to who solves it. A model writes it from the failing output and the names of the
 * tests and never sees the fix; an answer that leaks is asked for again once with the leak named, and
 * then a template is taken, as without a model.
 *
 * @throws VivariumError what the model's server fails with
 */
export async function writeStatement(
  facts: StatementFacts,
  ask: AskModel | null,
): Promise<Statement> {
  const text = ask === null ? null : await fromModel(facts, ask);
  return text === null ? { text: templateStatement(facts), by: 'template' } : { text, by: 'model' };
}

async function fromModel(facts: StatementFacts, ask: AskModel): Promise<string | null> {
  let leaks: string[] = [];
  for (let at = 0; at < TRIES; at += 1) {
    const user = [promptOf(facts), ...(leaks.length > 0 ? [complaint(leaks)] : [])].join('\n\n');
    const text = answerOf(await ask({ system: SYSTEM, user, seed: facts.seed + at }));
    leaks = leaksOf(text, facts);
    if (leaks.length === 0) return text;
  }
  return null;
}

const SYSTEM = `You report bugs as a user of a project would. You get the names of failing tests and what they print. Write the report: what happens, what should happen instead, and how it is seen. Two to eight sentences of plain text, nothing before or after. Do not guess at the cause. Name no file, line, function or class that the output does not show. No code blocks, no diffs.`;

function promptOf({ failing, command }: StatementFacts): string {
  const names = failing.slice(0, SHOWN_TESTS).map(({ name }) => `- ${plain(name)}`);
  const part = failing.map(({ output }) => assertionPart(output)).find((one) => one !== '');
  return [
    `Tests are run with: ${plain(command)}`,
    `Failing tests (${failing.length}):\n${names.join('\n')}`,
    `Output:\n${part ?? '(none)'}`,
  ].join('\n\n');
}

function complaint(leaks: readonly string[]): string {
  return `An earlier report could not be used: ${leaks.join('; ')}. Write another one without that.`;
}

/** Without what a model thought before it, and without hidden characters. */
function answerOf(reply: string): string {
  return plain(reply)
    .replace(/^[\s\S]*<\/think>/, '')
    .trim()
    .slice(0, MAX_CHARS);
}
