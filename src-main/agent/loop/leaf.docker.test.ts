import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Workspace } from '../../workspaces/index.ts';
import { file, openBench, processesHave, type Bench } from '../../../test/support/workspaces.ts';
import { createLeafScaffold } from '../scaffolds/leaf/scaffold.ts';
import type { AttemptRequest } from '../types.ts';
import { runAttempt } from './run-attempt.ts';
import { call, recorder, scriptedModel } from './testing/stubs.ts';

let bench: Bench;
let shared: Workspace;

beforeAll(async () => {
  bench = await openBench();
  shared = await openRepository();
});

afterAll(() => bench.dispose());

function openRepository(): Promise<Workspace> {
  return bench.open({ seed: [file('a.py', 'x = 1\n'), file('b.py', 'y = 2\n')] });
}

/** One attempt of Leaf in a real workspace; the scripted server refuses histories that are not well-formed. */
async function run(lines: object[], more: Partial<AttemptRequest> = {}) {
  const model = await scriptedModel(lines);
  onTestFinished(() => model.close());
  const recorded = recorder();
  const scaffold = createLeafScaffold();
  const outcome = await runAttempt({
    task: { instruction: 'fix it' },
    scaffold,
    chat: model.chat,
    workspace: shared,
    limits: { ...scaffold.limits, timeLimitMs: 60_000 },
    contextTokens: null,
    seed: 1,
    recorder: recorded,
    signal: new AbortController().signal,
    ...more,
  });
  const texts = recorded.steps.map((step) => step.observations.map(({ text }) => text));
  return { outcome, steps: recorded.steps, texts };
}

const done = { content: 'Done.' };

async function read(path: string): Promise<string | null> {
  const found = await shared.readFile(path);
  return found ? Buffer.from(found.bytes).toString() : null;
}

test('L01 arguments that are not JSON or cut off are not run; the history stays well-formed', async () => {
  const { outcome, texts } = await run([
    call('Write', '{"file_path": "l01", "content": "half'),
    call('Bash', 'ls -la'),
    call('Bash', '["touch l01"]'),
    done,
  ]);
  expect(outcome).toMatchObject({ exitReason: 'agent', steps: 4, detail: null });
  for (const [text] of texts.slice(0, 3)) {
    expect(text).toMatch(/^ValueError: the arguments of (Write|Bash) are not valid JSON/);
  }
  expect(await read('l01')).toBe(null);
});

test('L02 calls in the content and in the reasoning are salvaged, and marked', async () => {
  const { outcome, texts, steps } = await run([
    {
      content:
        'Look:\n<tool_call>\n{"name": "Read", "arguments": {"file_path": "a.py"}}\n</tool_call>',
    },
    {
      reasoning_content:
        'So:\n<function=Read>\n<parameter=file_path>\nb.py\n</parameter>\n</function>',
    },
    { content: '<tool_call>\n<function=Bash>\n<parameter=command>\necho hi\n</parameter>' },
    done,
  ]);
  expect(outcome).toMatchObject({ exitReason: 'agent', steps: 4 });
  expect(texts[0]).toEqual(['a.py\n1. x = 1']);
  expect(texts[1]).toEqual(['b.py\n1. y = 2']);
  expect(texts[2]?.[0]).toContain('hi');
  for (const step of steps.slice(0, 3)) expect(step.notes.join()).toContain('salvaged 1 call');
  expect(steps[0]?.calls.map(({ name }) => name)).toEqual(['Read']);
});

test('L03 empty replies and only reasoning: nudged twice, then empty_reply', async () => {
  const { outcome } = await run([{ content: '' }, { reasoning_content: 'hm' }, { content: '\n' }]);
  expect(outcome).toMatchObject({ exitReason: 'empty_reply', steps: 3, finalMessage: null });
});

test('L04 a cut call is not run and the model is told; twice in a row ends', async () => {
  const cut = call('Bash', { command: 'touch l04' }, { finish_reason: 'length' });
  const { outcome, steps } = await run([cut, call('Read', { file_path: 'a.py' }), cut, cut]);
  expect(outcome).toMatchObject({ exitReason: 'max_tokens_per_turn', steps: 4 });
  expect(steps[0]?.messages.map(({ role }) => role)).toEqual(['assistant', 'user']);
  expect(await read('l04')).toBe(null);
});

test('L05 the same call with the same result: a nudge, then loop', async () => {
  const same = call('Bash', { command: 'cat a.py' });
  const { outcome, steps } = await run(Array.from({ length: 8 }, () => same));
  expect(outcome).toMatchObject({ exitReason: 'loop', steps: 6 });
  expect(steps.map((step) => step.messages.at(-1)?.role)).toEqual([
    'tool',
    'tool',
    'tool',
    'user',
    'tool',
    'tool',
  ]);
});

test('L06 five calls in one turn, the third fails: all answered in order', async () => {
  const bash = (command: string) => ({ name: 'Bash', arguments: { command } });
  const { outcome, texts } = await run([
    {
      tool_calls: [
        bash('echo 1 > l06'),
        bash('echo 2 >> l06'),
        { name: 'Edit', arguments: { file_path: 'l06', old_string: 'nine', new_string: 'ten' } },
        bash('echo 4 >> l06'),
        { name: 'Read', arguments: { file_path: 'l06' } },
      ],
    },
    done,
  ]);
  expect(outcome.exitReason).toBe('agent');
  expect(texts[0]?.length).toBe(5);
  expect(texts[0]?.[2]).toContain('old_string was not found');
  expect(texts[0]?.[4]).toBe('l06\n1. 1\n2. 2\n3. 4');
});

test('L07 unknown tools are answered with those that exist', async () => {
  const { outcome, texts } = await run([call('execute_bash', { cmd: 'ls' }), done]);
  expect(outcome.exitReason).toBe('agent');
  expect(texts[0]?.[0]).toMatch(/^Unknown tool: execute_bash/);
  expect(texts[0]?.[0]).toContain('Read, Write, Edit, Glob, Bash');
});

test('the time limit ends a running command and leaves no process behind', async () => {
  const { outcome, steps } = await run([call('Bash', { command: 'sleep 321' })], {
    limits: { ...createLeafScaffold().limits, timeLimitMs: 1500 },
  });
  expect(outcome).toMatchObject({ exitReason: 'max_time', steps: 1 });
  expect(outcome.seconds.total).toBeLessThan(4);
  expect(steps[0]?.observations.length).toBe(1);
  const left = await shared.run({ command: processesHave('sleep 321 '), timeoutMs: 10_000 });
  expect(Buffer.from(left.stdout.head).toString()).toBe('0\n');
});

test('B10 the container is removed in mid-command: workspace_lost at once, the step recorded', async () => {
  const workspace = await openRepository();
  const kill = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await removeContainer(workspace);
  };
  const [{ outcome, steps }] = await Promise.all([
    run([call('Bash', { command: 'sleep 60' })], { workspace }),
    kill(),
  ]);
  expect(outcome).toMatchObject({ exitReason: 'workspace_lost', steps: 1 });
  expect(outcome.seconds.total).toBeLessThan(10);
  expect(steps[0]?.observations.every(({ mutated }) => !mutated)).toBe(true);
});

test('B10 the container is removed while the model thinks: workspace_lost at once', async () => {
  const workspace = await openRepository();
  const kill = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await removeContainer(workspace);
  };
  const [{ outcome }] = await Promise.all([
    run([{ content: 'late', delay_ms: 60_000 }], { workspace }),
    kill(),
  ]);
  expect(outcome).toMatchObject({ exitReason: 'workspace_lost', steps: 0 });
  expect(outcome.seconds.total).toBeLessThan(10);
});

async function removeContainer(workspace: Workspace): Promise<void> {
  const filters = { label: [`vivarium.workspace=${workspace.id}`] };
  const [found] = await bench.engine.docker.listContainers({ filters });
  await bench.engine.docker.getContainer(found?.Id ?? 'none').remove({ force: true, v: true });
}
