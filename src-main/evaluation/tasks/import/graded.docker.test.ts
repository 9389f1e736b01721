import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBench, SMALL_LIMITS, type Bench } from '../../../../test/support/workspaces.ts';
import { appFolder } from '../../../lib/index.ts';
import { listOwned, openWorkspace } from '../../../workspaces/index.ts';
import { gradeIn } from '../../grading/grade.ts';
import { attemptWorkspace } from '../../grading/workspace-options.ts';
import { checkTask } from '../check-task.ts';
import { withJudge } from '../open-judge.ts';
import { readTask } from '../read-task.ts';
import { taskTree } from '../task-tree.ts';
import { benchParts } from '../testing.ts';
import type { Task } from '../types.ts';
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

test('a SWE-bench row of version 5: the tree fails, the gold patch passes, in an image with its repository', async () => {
  const out = path.join(folder, 'swe');
  await importTasks({
    format: 'swe-bench',
    source: path.join(FIXTURES, 'swe-bench/rows.json'),
    out,
  });
  const parts = benchParts(bench);
  const found = await withJudge(parts, async (judge) =>
    checkTask(await readTask(path.join(out, 'example__calc-1')), {
      judge,
      treeOf: (task) => taskTree(task, task.image.reference ?? '', parts.readImage),
      ...{ reruns: 2, seed: 1, dropFlaky: false, signal: parts.signal },
    }),
  );
  expect(found).toMatchObject({ ok: true, problems: [], flaky: [] });
  expect(found.runs.map(({ state, resolved }) => [state, resolved])).toEqual([
    ['base', false],
    ['base', false],
    ['fix', true],
    ['fix', true],
  ]);
});

test('a Terminal-Bench task: the container as it begins gets 0, after the oracle 1', async () => {
  const out = path.join(folder, 'tb');
  const source = path.join(FIXTURES, 'terminal-bench');
  await importTasks({ format: 'terminal-bench', source, out, offlineVerifier: true });
  const task = await readTask(path.join(out, 'count-words'));
  expect(await rewardOf(task, ':')).toBe(0);
  const oracle = await readFile(path.join(task.folder, 'solution/solve.sh'), 'utf8');
  expect(await rewardOf(task, oracle)).toBe(1);
  expect(await listOwned(bench.engine, bench.home)).toEqual({ containers: [], volumes: [] });
});

/** The verdict after a script that stands for an agent. */
async function rewardOf(task: Task, script: string): Promise<number | null> {
  const parts = benchParts(bench);
  const image = task.image.reference ?? '';
  const workspace = await openWorkspace(bench.engine, {
    ...attemptWorkspace(task),
    owner: bench.owner,
    image,
    seed: taskTree(task, image, parts.readImage),
    limits: SMALL_LIMITS,
    labels: { session: 'test', attempt: 'test' },
  });
  try {
    await workspace.run({ command: script, timeoutMs: 30_000 });
    const { grading } = await gradeIn(workspace, task, { signal: parts.signal });
    expect(grading).toMatchObject({ state: 'graded', readBy: 'reward' });
    return grading.reward;
  } finally {
    await workspace.close();
  }
}
