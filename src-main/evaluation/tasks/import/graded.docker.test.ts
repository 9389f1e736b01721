import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBench, type Bench } from '../../../../test/support/workspaces.ts';
import { appFolder } from '../../../lib/index.ts';
import { listOwned } from '../../../workspaces/index.ts';
import type { TaskCheck } from '../check-file.ts';
import { checkTask } from '../check-task.ts';
import { withJudge } from '../open-judge.ts';
import { readTask } from '../read-task.ts';
import { taskTree } from '../task-tree.ts';
import { benchParts } from '../testing.ts';
import { importTasks } from './import-tasks.ts';

/** A row and a task that were made by hand for the base image go from file to verdict. */

const FIXTURES = path.join(appFolder(), 'test/fixtures/tasks');
const IMAGES = {
  'vivarium-swe-demo:latest': 'swe-bench/image',
  'vivarium-tb-demo:latest': 'terminal-bench/count-words/environment',
};

let bench: Bench;
let folder: string;
beforeAll(async () => {
  bench = await openBench();
  folder = await mkdtemp(path.join(tmpdir(), 'graded-'));
  for (const [tag, place] of Object.entries(IMAGES)) {
    execFileSync('docker', [
      'build',
      '--quiet',
      '--network=none',
      '--tag',
      tag,
      path.join(FIXTURES, place),
    ]);
  }
});
afterAll(async () => {
  execFileSync('docker', ['image', 'rm', ...Object.keys(IMAGES)]);
  await bench.dispose();
  await rm(folder, { recursive: true, force: true });
});

async function check(name: string): Promise<TaskCheck> {
  const parts = benchParts(bench);
  const found = await withJudge(parts, async (judges) =>
    checkTask(await readTask(path.join(folder, name)), {
      judges,
      treeOf: (task) => taskTree(task, task.image.reference ?? '', parts.readImage),
      ...{ reruns: 2, seed: 1, dropFlaky: false, signal: parts.signal },
    }),
  );
  expect(await listOwned(bench.engine, bench.home)).toEqual({ containers: [], volumes: [] });
  return found;
}

const VERDICTS = [
  ['base', false],
  ['base', false],
  ['fix', true],
  ['fix', true],
];

test('a SWE-bench row of version 5: the tree fails, the gold patch passes, in an image with its repository', async () => {
  const source = path.join(FIXTURES, 'swe-bench/rows.json');
  await importTasks({ format: 'swe-bench', source, out: folder });
  const found = await check('example__calc-1');
  expect(found).toMatchObject({ ok: true, problems: [], flaky: [] });
  expect(found.runs.map(({ state, resolved }) => [state, resolved])).toEqual(VERDICTS);
});

test('a Terminal-Bench task: the container as it begins fails, after the oracle it passes', async () => {
  const format = 'terminal-bench';
  const source = path.join(FIXTURES, format);
  await importTasks({ format, source, out: folder, offlineVerifier: true });
  const found = await check('count-words');
  expect(found).toMatchObject({ ok: true, problems: [], flaky: [] });
  expect(found.runs.map(({ state, resolved }) => [state, resolved])).toEqual(VERDICTS);
});
