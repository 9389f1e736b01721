import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  addCell,
  atifSchema,
  bashTurn,
  lastTurn,
  testRun,
  type TestRun,
} from '../../../test/support/recorded-run.ts';
import { readTaskSet, writeTask, type NewTask } from '../../evaluation/index.ts';
import { exportTraining } from './export-training.ts';
import type { TrainRequest } from './types.ts';

const TASK: Omit<NewTask, 'name'> = {
  ...{ instruction: 'Fix it.', image: 'base:1', workdir: '/workspace' },
  tree: [{ path: 'a.txt', mode: '100755', content: Buffer.from('broken\n') }],
  tests: { 'test.sh': '#!/bin/sh\n', '__init__.py': '' },
  ...{ fix: null, expected: null, agentTimeoutMs: null, source: {} },
  verifier: { on: 'patch', timeoutMs: 60_000, reader: { kind: 'reward' } },
};
const turns = [bashTurn('ls', 'a.txt'), lastTurn('Done.')];
const FAILED = { resolved: false, reward: 0 };

let run: TestRun;
let tasksFolder: string;
let out: string;
beforeEach(async () => {
  tasksFolder = mkdtempSync(path.join(tmpdir(), 'vivarium-tasks-'));
  const tasks = await Promise.all(
    ['one', 'two'].map((name) => writeTask(tasksFolder, { ...TASK, name })),
  );
  run = testRun({
    ...{ tasksFolder, seeds: [0, 1] },
    tasks: tasks.map(({ name, hash }) => ({ name, hash })),
  });
  out = path.join(run.folder, 'out');
});
afterEach(() => {
  run.close();
  rmSync(tasksFolder, { recursive: true });
});

const exported = (more: Partial<TrainRequest> = {}) =>
  exportTraining([run.source()], { format: 'harbor', out, ...more });
const json = (...parts: string[]) =>
  JSON.parse(readFileSync(path.join(out, ...parts), 'utf8')) as Record<string, unknown>;

test('harbor: tasks as they were, and what came of each attempt beside them', async () => {
  addCell(run, { task: 'one', turns, patch: Buffer.from('diff\n') });
  addCell(run, { task: 'one', seed: 1, turns: [lastTurn('No.')], grading: FAILED });
  // The same words of another attempt are a result of their own.
  addCell(run, { task: 'two', turns: [lastTurn('No.')], grading: FAILED });
  const report = await exported({ filters: { unsolved: true } });
  expect(report.rows).toEqual({ train: 3, validation: 0 });
  const before = await readTaskSet(tasksFolder);
  const after = await readTaskSet(path.join(out, 'train', 'tasks'));
  expect(after.tasks.map(({ name, hash }) => [name, hash])).toEqual(
    before.tasks.map(({ name, hash }) => [name, hash]),
  );
  const place = ['train', 'attempts', 'one', 'r1.1-frog-x-leaf.seed-0'];
  expect(readdirSync(path.join(out, ...place)).toSorted()).toEqual([
    ...['model.patch', 'result.json', 'trajectory.json'],
  ]);
  expect(atifSchema.safeParse(json(...place, 'trajectory.json')).success).toBe(true);
  expect(json(...place, 'result.json')).toMatchObject({
    ...{ task_name: 'one', trial_name: 'r1.1-frog-x-leaf.seed-0' },
    agent_result: { n_input_tokens: 200, n_cache_tokens: 100, n_output_tokens: 20 },
    verifier_result: { rewards: { reward: 1 } },
    vivarium: { run: 'r1', solved: true, outcome: 'resolved', exitReason: 'agent' },
  });
  const failed = ['train', 'attempts', 'one', 'r1.1-frog-x-leaf.seed-1'];
  expect(json(...failed, 'result.json')).toMatchObject({
    verifier_result: { rewards: { reward: 0 } },
  });
  expect(existsSync(path.join(out, ...failed, 'model.patch'))).toBe(false);
});

test('harbor: attempts of a task that was changed since are left out', async () => {
  addCell(run, { task: 'one', turns });
  addCell(run, { task: 'two', turns: [lastTurn('Fine.')] });
  appendFileSync(path.join(tasksFolder, 'one', 'instruction.md'), 'Now!\n');
  const report = await exported();
  expect(report.leftOut).toEqual([
    { reason: 'its task is gone or was changed since', attempts: 1 },
  ]);
  expect(readdirSync(path.join(out, 'train', 'tasks'))).toEqual(['two']);
});

test('harbor: nothing is left of an export that fails', async () => {
  addCell(run, { task: 'one', turns });
  const source = run.source();
  const store: typeof source.store = {
    events: (filter) => source.store.events(filter),
    blob: (hash) => source.store.blob(hash),
  };
  const stop = new AbortController();
  addCell(run, { task: 'two', turns: [lastTurn('Fine.')] });
  const both = { ...run.source(), store };
  let reads = 0;
  store.events = (filter) => {
    reads += 1;
    if (reads > 3) stop.abort();
    return source.store.events(filter);
  };
  const request = { format: 'harbor' as const, out, signal: stop.signal };
  await expect(exportTraining([both], request)).rejects.toMatchObject({ name: 'AbortError' });
  expect(reads).toBeGreaterThan(3);
  expect(existsSync(out)).toBe(false);
});

test('atif: a file for each attempt, split by task', async () => {
  for (const task of ['one', 'two']) addCell(run, { task, turns: [lastTurn(task)] });
  addCell(run, { task: 'one', seed: 1, turns: [lastTurn('No.')], grading: FAILED });
  const report = await exported({ format: 'atif', validation: 0.5, splitSeed: 3 });
  expect(report.rows).toEqual({ train: 1, validation: 1 });
  const origins = readFileSync(path.join(out, 'rows.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { file: string });
  expect(origins.map(({ file }) => file)).toEqual([
    'train/one/r1.1-frog-x-leaf.seed-0/trajectory.json',
    'validation/two/r1.1-frog-x-leaf.seed-0/trajectory.json',
  ]);
  for (const { file } of origins) {
    expect(atifSchema.parse(json(file)).extra).toMatchObject({ resolved: true });
  }
});
