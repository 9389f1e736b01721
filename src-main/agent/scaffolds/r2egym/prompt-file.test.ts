import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadScaffold } from '../load-scaffold.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vivarium-prompts-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The members that a prompt file of that repository has. */
function promptFile(instance: string, tools = 'tools/search.py'): string {
  return [
    'system_prompt: |-',
    '  You are an agent. Braces stay: {x}',
    'instance_prompt: |-',
    ...instance.split('\n').map((line) => `  ${line}`),
    'command_files:',
    `  - "./src/r2egym/agenthub/${tools}"`,
    'llm_name: "gpt-4o"',
    'demo_file: "./demo"',
    'other_args:',
    '  max_retries: 3',
  ].join('\n');
}

async function load(text: string) {
  const file = path.join(folder, 'edit.yaml');
  await writeFile(file, text);
  return loadScaffold(file, folder);
}

describe('a prompt file of R2E-Gym', () => {
  it('loads as it stands; braces are those of Python', async () => {
    const scaffold = await load(
      promptFile('In {working_dir}, fix\n{problem_statement}\n{{literal}}'),
    );
    expect(scaffold.name).toBe('edit');
    expect(scaffold.open({ instruction: 'a $& b {y}' }).messages).toEqual([
      { role: 'system', content: 'You are an agent. Braces stay: {x}' },
      { role: 'user', content: 'In /testbed, fix\na $& b {y}\n{literal}' },
    ]);
    expect(scaffold.open({ instruction: '' }).tools).toEqual([]);
    expect(scaffold.open({ instruction: '/testbed', root: '/app' }).messages.at(-1)?.content).toBe(
      'In /app, fix\n/testbed\n{literal}',
    );
  });

  it.each([
    ['{problem_statement} {', "instance_prompt: a single {; Python's format wants it doubled"],
    ['{problem_statement} {who}', 'instance_prompt: {who} is not known here'],
    ['no place', 'instance_prompt: {problem_statement} is missing'],
  ])('%j is refused with its fault', async (instance, fault) => {
    await expect(load(promptFile(instance))).rejects.toMatchObject({
      code: 'scaffold_invalid',
      message: `${path.join(folder, 'edit.yaml')}: ${fault}`,
    });
  });

  it('one for other tools is refused', async () => {
    const text = promptFile('{problem_statement}', 'tools/str_replace_editor.py');
    await expect(load(text)).rejects.toThrow('is not one of the tools of scaffold r2egym');
  });
});

describe('a scaffold file that builds on r2egym', () => {
  it('replaces what it names', async () => {
    const scaffold = await load(
      'extends: r2egym\nname: mine\nroot: /app\nuser: "{{root}}: {{task}}"\nlimits: { maxSteps: 7 }\ncondenseAboveTokens: 100\n',
    );
    expect(scaffold).toMatchObject({
      name: 'mine',
      root: '/app',
      limits: { maxSteps: 7, maxContextTokens: 65_536 },
      condense: { aboveTokens: 100, placeholder: '<Observation condensed for saving context>' },
    });
    expect(scaffold.open({ instruction: 'T' }).messages.at(-1)?.content).toBe('/app: T');
  });

  it('names the member that it does not know', async () => {
    await expect(load('extends: r2egym\ntools: {}\n')).rejects.toThrow('tools');
  });
});

it('the steps that are announced: 40 of 50, or all that were asked for', async () => {
  const scaffold = await loadScaffold('r2egym', folder);
  const remind = (stepsDone: number, maxSteps: number) =>
    scaffold.remind?.({ stepsDone, maxSteps });
  expect(remind(0, 50)).toBe('Steps Remaining: 40');
  expect(remind(39, 50)).toBe('Steps Remaining: 1');
  const last = 'You have reached the maximum number of steps. Please submit your answer NOW.';
  expect([remind(40, 50), remind(49, 50)]).toEqual([last, last]);
  expect(remind(0, 100)).toBe('Steps Remaining: 100');
});
