import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { benchParts } from '../../src-main/evaluation/tasks/testing.ts';
import { openBench, TEST_IMAGE, type Bench } from '../support/workspaces.ts';
import { readChecks, readTaskSet, taskTree, withJudge } from '../../src-main/evaluation/index.ts';
import { mutate } from '../../src-main/synthesis/mutate/index.ts';
import { writeStatement } from '../../src-main/synthesis/statements/write-statement.ts';
import type { SynthParts, SynthRequest } from '../../src-main/synthesis/pipeline/types.ts';
import { synthesize } from '../../src-main/synthesis/pipeline/synthesize.ts';

let bench: Bench;
let out: string;
beforeAll(async () => {
  bench = await openBench();
  out = await mkdtemp(path.join(tmpdir(), 'synth-'));
});
afterAll(async () => {
  await bench.dispose();
  await rm(out, { recursive: true, force: true });
});

const FILES = {
  'shop.py':
    'def is_adult(age):\n    return age >= 18\n\n\ndef price(count, each):\n    total = count * each\n    if count > 10:\n        total = total - 5\n    return total\n',
  'test_shop.py':
    'from shop import is_adult, price\n\n\ndef test_adult():\n    assert is_adult(18)\n    assert not is_adult(17)\n\n\ndef test_price():\n    assert price(2, 3) == 6\n    assert price(11, 1) == 6\n    assert price(10, 1) == 10\n',
};

test('three bugs become checked tasks; a second call has nothing left to do', async () => {
  const parts = benchParts(bench);
  const own: SynthParts = {
    generators: { mutate },
    withJudges: (use) => withJudge(parts, use),
    treeOf: (task) => taskTree(task, TEST_IMAGE, parts.readImage),
    writeStatement: (facts) => writeStatement(facts, null),
    signal: parts.signal,
  };
  const files = Object.entries(FILES).map(
    ([name, text]) =>
      [name, { path: name, mode: '100644' as const, content: Buffer.from(text) }] as const,
  );
  const request: SynthRequest = {
    tree: { repository: '/home/shop', commit: 'c'.repeat(40), files: new Map(files) },
    ...{ out, target: 3, seed: 1, workers: 1, reruns: 1, hideTests: false },
    plan: { command: 'python3 -m pytest -q', image: TEST_IMAGE, timeoutMs: 60_000 },
  };
  const report = await synthesize(request, own);
  expect(report.validated).toBe(3);
  const { tasks, refused } = await readTaskSet(out);
  expect(refused).toEqual([]);
  expect(tasks).toHaveLength(3);
  const checks = await readChecks(tasks);
  for (const task of tasks) {
    expect(checks.get(task.name)?.ok).toBe(true);
    expect(task.expected?.failToPass.length).toBeGreaterThan(0);
    expect(task.metadata['vivarium']).toMatchObject({
      ...{ generator: 'mutate', repository: 'shop', commit: 'c'.repeat(40), seed: 1 },
    });
  }
  const again = await synthesize(request, own);
  expect(again).toMatchObject({ tried: report.tried, validated: 3, testSeconds: 0 });
  expect((await readdir(out)).filter((name) => name.startsWith('.'))).toEqual([]);
});
