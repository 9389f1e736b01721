import path from 'node:path';
import { expect, test } from 'vitest';
import type { HandlerContext, Handlers } from '../../contract/index.ts';
import { RESOURCES } from '../environment.ts';
import { openHandlers } from './testing/open.ts';

const GGUF = path.join(RESOURCES, 'models', 'tadpole.gguf');

/** All items of a stream, and what it ended with. */
async function drain<T, R>(stream: AsyncGenerator<T, R, void>): Promise<{ items: T[]; end: R }> {
  const items: T[] = [];
  for (;;) {
    const step = await stream.next();
    if (step.done) return { items, end: step.value };
    items.push(step.value);
  }
}

async function added(handlers: Handlers, context: HandlerContext) {
  return drain(handlers['models/add']({ path: GGUF, name: 'frog' }, context));
}

test('a model is added with progress, listed, checked, renamed and removed', async () => {
  const { handlers, context } = openHandlers();
  expect(await handlers['models/list']({}, context)).toEqual([]);
  const { items, end } = await added(handlers, context);
  expect(end).toMatchObject({ name: 'frog', copied: false, entry: GGUF });
  expect(items.at(-1)).toMatchObject({
    phase: 'hashing',
    file: expect.stringContaining('tadpole'),
  });
  const [row, ...others] = await handlers['models/list']({}, context);
  expect([others, row?.model.name, row?.status.state]).toEqual([[], 'frog', 'stopped']);
  const verified = await drain(handlers['models/verify']({ name: 'frog' }, context));
  expect(verified.end).toEqual({ name: 'frog', ok: true, files: 1, faults: [] });
  await handlers['models/rename']({ name: 'frog', to: 'toad' }, context);
  expect(await handlers['models/remove']({ name: 'toad' }, context)).toEqual({ deletedBytes: 0 });
  await expect(handlers['models/profile']({ name: 'frog' }, context)).rejects.toMatchObject({
    code: 'model_not_found',
  });
});

test('scaffolds are listed with who is driven by them', async () => {
  const { handlers, context } = openHandlers();
  await added(handlers, context);
  const rows = await handlers['models/scaffolds']({}, context);
  const tadpole = rows.find(({ name }) => name === 'tadpole');
  expect(tadpole).toEqual({
    name: 'tadpole',
    title: 'tadpole',
    description: 'Short prompts and no help, for the demonstration model.',
    usedBy: { presets: ['tadpole'], models: ['frog'] },
    limits: {
      maxSteps: 12,
      maxContextTokens: 2_048,
      maxTokensPerTurn: 220,
      timeLimitMs: 600_000,
    },
  });
  const leaf = rows.find(({ name }) => name === 'leaf');
  expect(leaf).toMatchObject({ title: 'Leaf', limits: { maxSteps: 150, timeLimitMs: 10_800_000 } });
  expect(leaf?.usedBy.presets).toContain('frognano-4b');
});

test('a profile is changed by members and as a whole; what it would start is said', async () => {
  const { handlers, context } = openHandlers();
  await added(handlers, context);
  const before = await handlers['models/profile']({ name: 'frog' }, context);
  expect(before.profile).toMatchObject({ name: 'frog', engine: 'llamacpp' });
  const changed = await handlers['models/setProfile'](
    { name: 'frog', overrides: { contextTokens: 4096, 'environment.TOKEN': 'x' } },
    context,
  );
  expect(changed).toMatchObject({
    profile: { contextTokens: 4096 },
    yaml: expect.stringContaining('contextTokens: 4096'),
    notes: ['hands the engine TOKEN'],
  });
  const back = await handlers['models/setProfile']({ name: 'frog', yaml: before.yaml }, context);
  expect([back.profile, back.notes]).toEqual([before.profile, []]);
  await expect(
    handlers['models/setProfile']({ name: 'frog', yaml: 'contextTokens: [' }, context),
  ).rejects.toMatchObject({ code: 'profile_invalid' });
});

test('a plan shows the command line without key and port; nothing is started', async () => {
  const { handlers, context } = openHandlers();
  await added(handlers, context);
  const overrides = { threads: 2, contextTokens: 2048 };
  const plan = await handlers['models/plan']({ name: 'frog', overrides }, context);
  expect(plan).toMatchObject({ plan: { engine: 'llamacpp', contextTokens: 2048 }, faults: [] });
  const line = plan.commandLine ?? [];
  expect(line.slice(0, 2)).toEqual(['node', 'server/main.ts']);
  expect(line).toContain(`--file=${GGUF}`);
  expect(line).toContain('--threads=2');
  expect(line).toContain('--key=***');
  expect(line).toContain('--port=PORT');
  const [row] = await handlers['models/list']({}, context);
  expect(row?.status).toMatchObject({ state: 'stopped', pid: null });
  const machine = await handlers['models/machine']({}, context);
  expect(machine.memory.totalBytes).toBeGreaterThan(0);
});

test('a program engine that is not there has no command line, and says why', async () => {
  const { handlers, context } = openHandlers();
  await added(handlers, context);
  const overrides = { engine: 'llama-server', source: { program: '/nowhere/llama-server' } };
  const plan = await handlers['models/plan']({ name: 'frog', overrides }, context);
  expect([plan.commandLine, plan.installation]).toEqual([null, null]);
  expect(plan.faults).toEqual([expect.stringContaining('/nowhere/llama-server')]);
});

test('watching and following end at the signal', async () => {
  const { handlers, context } = openHandlers();
  await added(handlers, context);
  const stop = new AbortController();
  const watching = handlers['models/watch']({ name: null }, { signal: stop.signal });
  expect(await watching.next()).toEqual({ done: false, value: [] });
  const one = handlers['models/watch']({ name: 'frog' }, { signal: stop.signal });
  expect(await one.next()).toMatchObject({
    value: [{ status: { name: 'frog', state: 'stopped' }, sample: null }],
  });
  const logs = handlers['models/logs']({ name: 'frog', lines: 10 }, { signal: stop.signal });
  const ended = Promise.all([drain(watching), drain(one), drain(logs)]);
  stop.abort();
  expect((await ended).map(({ items }) => items)).toEqual([[], [], []]);
  await expect(handlers['models/stop']({ name: 'frog' }, context)).rejects.toMatchObject({
    code: 'server_not_running',
  });
});
