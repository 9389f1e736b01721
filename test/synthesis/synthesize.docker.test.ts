import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { benchParts } from '../../src-main/evaluation/tasks/testing.ts';
import { openBench, TEST_IMAGE, type Bench } from '../support/workspaces.ts';
import { readChecks, readTaskSet, taskTree, withJudge } from '../../src-main/evaluation/index.ts';
import { mutate } from '../../src-main/synthesis/mutate/index.ts';
import { DEFAULT_SHARES } from '../../src-main/synthesis/select/quotas.ts';
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

function parts(): SynthParts {
  const own = benchParts(bench);
  return {
    generators: { mutate },
    withJudges: (use) => withJudge(own, use),
    treeOf: (task) => taskTree(task, TEST_IMAGE, own.readImage),
    writeStatement: (facts) => writeStatement(facts, null),
    signal: own.signal,
  };
}

function request(into: string, texts: Record<string, string>, target: number): SynthRequest {
  const files = Object.entries(texts).map(
    ([name, text]) =>
      [name, { path: name, mode: '100644' as const, content: Buffer.from(text) }] as const,
  );
  return {
    tree: { repository: '/home/shop', commit: 'c'.repeat(40), files: new Map(files) },
    ...{ out: into, target, seed: 1, workers: 1, reruns: 1, hideTests: false },
    shares: DEFAULT_SHARES,
    plan: { command: 'python3 -m pytest -q', image: TEST_IMAGE, timeoutMs: 60_000 },
  };
}

test('three bugs become checked tasks; a second call has nothing left to do', async () => {
  const asked = request(path.join(out, 'shop'), FILES, 3);
  const report = await synthesize(asked, parts());
  expect(report.validated).toBe(3);
  const { tasks, refused } = await readTaskSet(asked.out);
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
  const again = await synthesize(asked, parts());
  expect(again).toMatchObject({ tried: report.tried, validated: 3, testSeconds: 0 });
  expect((await readdir(asked.out)).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('of bugs at one place that fail the same tests one is made', async () => {
  const texts = {
    'shop.py': 'def is_adult(age):\n    return age >= 18\n',
    'test_shop.py':
      'from shop import is_adult\n\n\ndef test_adult():\n    assert is_adult(18)\n    assert not is_adult(17)\n',
  };
  const report = await synthesize(request(path.join(out, 'one'), texts, 9), parts());
  expect(report.validated).toBe(1);
  expect(report.refusals).toContainEqual({ refusal: 'duplicate', count: expect.any(Number) });
});
