import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLeafScaffold } from './leaf/scaffold.ts';
import { loadScaffold } from './load-scaffold.ts';

const RESOURCES = path.resolve(import.meta.dirname, '../../../resources/scaffolds');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vivarium-scaffold-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function load(yaml: string, name = 'mine.yaml') {
  const file = path.join(folder, name);
  await writeFile(file, yaml);
  return loadScaffold(file, RESOURCES);
}

const open = { instruction: 'Fix $& the `bug`.\n' };

describe('leaf', () => {
  it('opens with a system prompt of three sentences and the raw task text', async () => {
    const { messages, tools } = (await loadScaffold('leaf', RESOURCES)).open(open);
    expect(messages[0]?.content.match(/\.(?=\s|$)/g)).toHaveLength(3);
    expect(messages[1]).toEqual({ role: 'user', content: open.instruction });
    expect(messages).toHaveLength(2);
    expect(
      tools.map(({ name, parameters }) => [
        name,
        Object.keys(parameters['properties'] as object),
        parameters['required'],
      ]),
    ).toEqual([
      ['Read', ['file_path', 'offset', 'limit'], ['file_path']],
      ['Write', ['file_path', 'content'], ['file_path', 'content']],
      [
        'Edit',
        ['file_path', 'old_string', 'new_string', 'replace_all'],
        ['file_path', 'old_string', 'new_string'],
      ],
      ['Glob', ['pattern', 'path'], ['pattern']],
      ['Bash', ['command', 'description', 'timeout'], ['command']],
    ]);
  });

  it('has the limits and the sampling of the published evaluation', () => {
    const { limits, sampling } = createLeafScaffold();
    expect(limits).toEqual({
      maxSteps: 150,
      maxContextTokens: 131_072,
      maxTokensPerTurn: 8_192,
      timeLimitMs: 10_800_000,
    });
    expect(sampling).toEqual({
      temperature: 0.6,
      topP: 0.95,
      topK: 20,
      minP: 0,
      presencePenalty: 0,
      repetitionPenalty: 1,
      templateArguments: { enable_thinking: true },
    });
  });
});

describe('tadpole', () => {
  it('is driven as its data sheet says', async () => {
    const tadpole = await loadScaffold('tadpole', RESOURCES);
    expect(tadpole.open({ instruction: 'Fix calc.py.' })).toEqual({
      messages: [
        {
          role: 'system',
          content:
            'You are Tadpole, a small model that fixes bugs in Python code. Use the tools Read, Edit and Bash.',
        },
        { role: 'user', content: 'Fix calc.py.' },
      ],
      tools: [],
    });
    expect(tadpole.name).toBe('tadpole');
    expect(tadpole.limits).toMatchObject({
      maxSteps: 12,
      maxContextTokens: 2048,
      maxTokensPerTurn: 220,
    });
    expect(tadpole.sampling).toEqual({ temperature: 1, topP: 0.95, topK: 40 });
  });
});

describe('scaffold files', () => {
  it('replace every prompt and description', async () => {
    const scaffold = await load(`
extends: leaf
system: ''
user: "Issue: {{task}}!"
tools:
  Read: { description: Reads., parameters: { file_path: Where. } }
nudges: { empty: Go on. }
limits: { maxSteps: 3, timeLimitSeconds: 1.5 }
sampling: { temperature: 0 }
`);
    const { messages, tools } = scaffold.open(open);
    expect(messages).toEqual([{ role: 'user', content: `Issue: ${open.instruction}!` }]);
    expect(tools[0]).toMatchObject({
      name: 'Read',
      description: 'Reads.',
      parameters: { properties: { file_path: { type: 'string', description: 'Where.' } } },
    });
    expect(scaffold.name).toBe('mine');
    expect(scaffold.limits).toMatchObject({
      maxSteps: 3,
      maxTokensPerTurn: 8192,
      timeLimitMs: 1500,
    });
    expect(scaffold.sampling).toEqual({ temperature: 0 });
  });

  it('change the hash with whatever the model sees, and only then', async () => {
    const base = createLeafScaffold().hash;
    expect(base).toMatch(/^[0-9a-f]{64}$/);
    const other = await Promise.all(
      [
        'system: Hi.',
        'user: "{{task}}."',
        'help: false',
        'advertise: false',
        'nudges: { cut: Hm. }',
      ].map((yaml, index) => load(yaml, `${index}.yaml`)),
    );
    expect(new Set([base, ...other.map(({ hash }) => hash)]).size).toBe(6);
    expect((await load('about: nothing new\nlimits: { maxSteps: 3 }')).hash).toBe(base);
  });

  it.each([
    ['system: [', 'is not YAML'],
    ['sytem: Hi.', 'Unrecognized key: "sytem"'],
    ['limits: { maxSteps: -1 }', 'limits.maxSteps: '],
    ['user: No place for the task.', 'user: '],
    ['tools: { Grep: {} }', 'tools: '],
    ['just text', 'expected object'],
  ])('%s is refused on one line with the place', async (yaml, message) => {
    const error = await load(yaml, 'bad.yaml').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'scaffold_invalid', next: expect.any(String) });
    expect((error as Error).message).toContain(message);
    expect((error as Error).message).toContain('bad.yaml');
    expect((error as Error).message).not.toContain('\n');
  });

  it.each(['nosuch', './nosuch.yaml'])('%s is not there', async (name) => {
    await expect(loadScaffold(name, RESOURCES)).rejects.toMatchObject({
      code: 'scaffold_invalid',
      message: expect.stringContaining('nosuch'),
    });
  });
});

it('a file that is named like a scaffold is told as the file that it is', async () => {
  const before = process.cwd();
  process.chdir(folder);
  try {
    await writeFile(path.join(folder, 'mine.json'), '{}');
    await expect(loadScaffold('mine.json', RESOURCES)).rejects.toMatchObject({
      code: 'scaffold_invalid',
      message:
        'There is no scaffold named "mine.json"; it is a file here, and the name of a scaffold file ends in .yaml.',
      next: 'Rename it to end in .yaml, or name it as a path: ./mine.json',
    });
    await expect(loadScaffold('moon', RESOURCES)).rejects.toMatchObject({
      message: 'There is no scaffold named "moon".',
      next: expect.stringContaining('Use one of leaf, '),
    });
    expect((await loadScaffold('./mine.json', RESOURCES)).limits.maxSteps).toBe(150);
  } finally {
    process.chdir(before);
  }
});
