import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { readBugs, type RealBug } from './build-repository.ts';

const call = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) });
const reply = z.object({ content: z.string(), tool_calls: z.array(call).optional() });
type Reply = z.infer<typeof reply>;
type Call = z.infer<typeof call>;

/** What breaks another test of the same files, once the bug is fixed. */
const BREAKS: Readonly<Record<string, string>> = {
  'pathspec-84': "sed -i 's/def match_files(/def match_files_not(/' pathspec/pathspec.py",
  'pyjwt-issuer': "sed -i 's/raise ExpiredSignatureError/raise InvalidTokenError/' jwt/api_jwt.py",
};

/** `six` solves all, `four` breaks something else in two of them, `none` only looks. */
export const SETS = ['six', 'four', 'none'] as const;
export type ScriptedSet = (typeof SETS)[number];

/**
 * One script for the six bugs, for a `script:` model: a section a bug, told by its issue.
 * @returns path of the file below `folder`
 */
export async function scriptedSet(
  set: ScriptedSet,
  scaffold: 'leaf' | 'r2egym',
  folder: string,
): Promise<string> {
  const sections = await Promise.all((await readBugs()).map((bug) => section(set, scaffold, bug)));
  const name = `${set}-${scaffold}`;
  const lines: object[] = [{ script: { model: name } }, ...sections.flat()];
  const file = path.join(folder, `${name}.jsonl`);
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

async function section(set: ScriptedSet, scaffold: string, bug: RealBug): Promise<object[]> {
  const replies = set === 'none' ? NOTHING : await fixOf(bug, set);
  return [{ when: bug.issue }, ...(scaffold === 'leaf' ? replies : replies.flatMap(asText))];
}

const NOTHING: Reply[] = [
  { content: 'I look.', tool_calls: [{ name: 'Bash', arguments: { command: 'ls' } }] },
  { content: 'I cannot find the cause.' },
];

async function fixOf(bug: RealBug, set: ScriptedSet): Promise<Reply[]> {
  const file = path.join(import.meta.dirname, 'scripts', `${bug.id}.jsonl`);
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  const replies = lines.map((line) => reply.parse(JSON.parse(line)));
  const broken = set === 'four' ? BREAKS[bug.id] : undefined;
  if (broken === undefined) return replies;
  const more = { name: 'Bash', arguments: { command: broken } };
  const end = replies.at(-1) ?? { content: 'Done.' };
  return [...replies.slice(0, -1), { content: 'And one thing more.', tool_calls: [more] }, end];
}

/** The same in R2E-Gym's form: one call a reply, and `finish` for the last words. */
function asText({ content, tool_calls: calls = [] }: Reply): Reply[] {
  if (calls.length === 0) {
    return [{ content: `${content}\n${xml('finish', { command: 'submit', result: content })}` }];
  }
  return calls.map((one) => ({ content: `${content}\n${xmlOf(one)}` }));
}

function xmlOf({ name, arguments: given }: Call): string {
  const text = (key: string) => z.string().default('').parse(given[key]);
  if (name === 'Bash') return xml('execute_bash', { cmd: text('command') });
  if (name === 'Glob') return xml('search', { search_term: 'def ' });
  const file = { path: text('file_path') };
  if (name === 'Read') return xml('file_editor', { command: 'view', ...file });
  return xml('file_editor', {
    ...{ command: 'str_replace', ...file },
    old_str: `\n${text('old_string')}\n`,
    new_str: `\n${text('new_string')}\n`,
  });
}

function xml(name: string, parameters: Record<string, string>): string {
  const lines = Object.entries(parameters).map(
    ([key, value]) => `<parameter=${key}>${value}</parameter>\n`,
  );
  return `<function=${name}>\n${lines.join('')}</function>`;
}
