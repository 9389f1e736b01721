import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBench, type Bench } from '../../../test/support/workspaces.ts';
import type { Snapshot } from '../../patch/index.ts';
import { listOwned } from '../../workspaces/index.ts';
import type { TaskVerifier } from '../tasks/types.ts';
import { gradeAgain } from './evidence-blobs.ts';
import { grade } from './grade.ts';
import { requestOf, snapshotOf, testTask, written } from './testing.ts';
import type { Graded, GradeRequest } from './types.ts';

const TREE = {
  'calc.py': 'def add(a, b):\n    return a - b\n',
  'test_calc.py': 'from calc import add\n\ndef test_zero():\n    assert add(1, 0) == 1\n',
};
const FIXED = { 'calc.py': 'def add(a, b):\n    return a + b\n' };
const HIDDEN = 'from calc import add\n\ndef test_sum():\n    assert add(2, 2) == 4\n';

/** As tasks of Terminal-Bench are: pytest on a file in /tests, a reward by its exit code. */
const HARBOR = `#!/bin/bash
cd /workspace || exit 1
PYTHONPATH=/workspace python3 -m pytest -q -p no:cacheprovider /tests/test_outputs.py
if [ $? -eq 0 ]; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi
`;
const HARBOR_TESTS = { 'test.sh': HARBOR, 'test_outputs.py': HIDDEN };

let bench: Bench;
let snapshot: Snapshot;
beforeAll(async () => {
  bench = await openBench();
  snapshot = await snapshotOf(bench, TREE, 'calc');
});
afterAll(() => bench.dispose());

async function judge(
  tests: Readonly<Record<string, string>>,
  changes: GradeRequest['changes'],
  verifier: Partial<TaskVerifier> = {},
  more: Partial<GradeRequest> = {},
): Promise<Graded> {
  const { task, dispose } = testTask(tests, verifier);
  try {
    return await grade({ ...requestOf(bench, task, snapshot, changes), ...more });
  } finally {
    dispose();
    const owned = await listOwned(bench.engine, bench.home);
    expect(owned).toEqual({ containers: [], volumes: [] });
  }
}

const script = (body: string) => ({ 'test.sh': `#!/bin/sh\n${body}\n` });

describe("a Harbor task's test.sh", () => {
  test('fails on the snapshot and with an empty patch, and passes with the fix', async () => {
    const before = await judge(HARBOR_TESTS, []);
    expect(before.grading).toMatchObject({ state: 'graded', resolved: false, reward: 0 });
    const after = await judge(HARBOR_TESTS, written(FIXED));
    expect(after.grading).toMatchObject({
      state: 'graded',
      resolved: true,
      reward: 1,
      rewards: { reward: 1 },
      exitCode: 0,
      readBy: 'reward',
      summary: 'Resolved: reward 1.',
    });
    expect(Object.keys(after.grading.evidence)).toEqual([
      'facts.json',
      'verifier.log',
      'verifier/reward.txt',
    ]);
    expect(Buffer.from(after.blobs[1] ?? []).toString()).toContain('1 passed');
  });

  test('works without an interpreter line, and with files beside it and variables of the task', async () => {
    const tests = {
      'test.sh':
        '[[ -n $X ]] && read -r n < /tests/data/n.txt && echo "$n$X" > /logs/verifier/reward.txt',
      'data/n.txt': '0.2\n',
    };
    const { grading } = await judge(tests, [], { env: { X: '5' } });
    expect(grading).toMatchObject({ resolved: false, reward: 0.25 });
  });

  test('a patch as bytes: one that applies, one that does not', async () => {
    const patch = [
      '--- a/calc.py',
      '+++ b/calc.py',
      '@@ -1,2 +1,2 @@',
      ' def add(a, b):',
      '-    return a - b',
      '+    return a + b',
      '',
    ].join('\n');
    expect((await judge(HARBOR_TESTS, Buffer.from(patch))).grading.resolved).toBe(true);
    const bad = await judge(HARBOR_TESTS, Buffer.from(patch.replace('a - b', 'a * b')));
    expect(bad.grading).toMatchObject({
      state: 'graded',
      applied: false,
      resolved: false,
      reward: 0,
      summary: 'Not resolved: the patch does not apply.',
    });
  });
});

describe('what a patch plants', () => {
  const planted = {
    'conftest.py':
      'import pytest\n@pytest.hookimpl(tryfirst=True)\ndef pytest_runtest_makereport(item, call):\n' +
      '    call.excinfo = None\n',
    'sitecustomize.py': 'import os; os._exit(0)\n',
  };
  const tests = {
    ...HARBOR_TESTS,
    'test.sh': HARBOR.replace('PYTHON', 'cp /tests/test_outputs.py .; PYTHON').replace(
      ' /tests/test_outputs.py\n',
      '\n',
    ),
  };

  test('P09 a conftest.py and a sitecustomize.py decide nothing where they are protected', async () => {
    const protect = ['conftest.py', '**/sitecustomize.py'];
    const fooled = await judge(tests, written(planted));
    expect(fooled.grading.resolved).toBe(true);
    const { grading, blobs } = await judge(tests, written(planted), { protect });
    expect(grading).toMatchObject({ state: 'graded', resolved: false, reward: 0 });
    expect(JSON.parse(Buffer.from(blobs[0] ?? []).toString())).toMatchObject({
      restored: ['conftest.py', 'sitecustomize.py'],
    });
  });

  test('a process that writes the reward later comes too late', async () => {
    const late = script(
      'echo 0 > /logs/verifier/reward.txt; setsid sh -c "sleep 1; echo 1 > /logs/verifier/reward.txt" &',
    );
    expect((await judge(late, [])).grading).toMatchObject({ reward: 0, resolved: false });
  });
});

describe('a verifier that goes wrong says nothing of the patch', () => {
  test.each<[string, string, string, string]>([
    ['leaves nothing', 'true', 'no_reward', 'it left neither reward.json nor reward.txt'],
    ['leaves an empty file', ': > /logs/verifier/reward.txt', 'no_reward', 'reward.txt is empty'],
    [
      'wants a network',
      'echo "curl: (6) Could not resolve host: x"',
      'network_unreachable',
      'curl',
    ],
    ['lacks a module', 'python3 -c "import nowhere"', 'missing_module', 'ModuleNotFoundError'],
    ['leaves a link to a reward', 'ln -s /etc/hostname /logs/verifier/reward.txt', 'no_reward', ''],
  ])('one that %s', async (_, body, reason, detail) => {
    const { grading } = await judge(script(body), []);
    expect(grading).toMatchObject({ state: 'infra', resolved: false, reward: null });
    expect(grading.infra?.reason).toBe(reason);
    expect(grading.infra?.detail).toContain(detail);
  });

  test('one that hangs is ended', async () => {
    const { grading } = await judge(script('echo 1 > /logs/verifier/reward.txt; sleep 600'), [], {
      timeoutMs: 1_000,
    });
    expect(grading).toMatchObject({ state: 'infra', infra: { reason: 'tests_timed_out' } });
  });

  test('one that is ended for memory is called so', async () => {
    const body = 'python3 -c "x = bytearray(2_000_000_000)"; echo done';
    const { grading } = await judge(script(body), []);
    expect(grading).toMatchObject({ state: 'infra', infra: { reason: 'out_of_memory' } });
  });

  test('one that floods is bounded, and its result still counts', async () => {
    const body =
      'head -c 60000000 /dev/zero | tr "\\0" x; echo; echo 1 > /logs/verifier/reward.txt';
    const { grading, blobs } = await judge(script(body), []);
    expect(grading).toMatchObject({ state: 'graded', resolved: true });
    expect(blobs[1]?.length ?? 0).toBeLessThan(33 * 2 ** 20);
    expect(blobs[1]?.length ?? 0).toBeGreaterThan(32 * 2 ** 20 - 1);
  });

  test('an image that is not here, and a limit that cannot be, are named', async () => {
    const missing = await judge(HARBOR_TESTS, [], {}, { image: 'none:such' });
    expect(missing.grading).toMatchObject({ state: 'infra', infra: { reason: 'image_missing' } });
    expect(missing.blobs).toEqual([]);
    await expect(judge(HARBOR_TESTS, [], {}, { signal: AbortSignal.abort() })).rejects.toThrow(
      /abort/i,
    );
  });
});

test('the same evidence gives the same verdict again, and none after the task was changed', async () => {
  const { task, dispose } = testTask(HARBOR_TESTS);
  const { grading, blobs } = await grade(requestOf(bench, task, snapshot, written(FIXED)));
  dispose();
  const hashes = Object.values(grading.evidence);
  const bytesOf = (hash: string) => blobs[hashes.indexOf(hash)];
  expect(await gradeAgain(task, grading, bytesOf)).toEqual(grading);
  await expect(gradeAgain({ ...task, hash: 'other' }, grading, bytesOf)).rejects.toMatchObject({
    code: 'task_changed',
  });
  await expect(gradeAgain(task, grading, () => undefined)).rejects.toMatchObject({
    code: 'store_failed',
  });
});
