import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBench, type Bench } from '../../../test/support/workspaces.ts';
import type { Snapshot } from '../../patch/index.ts';
import { grade } from './grade.ts';
import { requestOf, snapshotOf, testTask, written } from './testing.ts';
import type { GradeRequest } from './types.ts';

/** The commit of the row; the workspace has another start commit and no history. */
const BASE = '1234567890abcdef1234567890abcdef12345678';
const TEST_FILE = 'tests/test_calc.py';
const OLD_TEST = 'from calc import add\n\n\ndef test_zero():\n    assert add(1, 0) == 1\n';
const TREE = { 'calc.py': 'def add(a, b):\n    return a - b\n', [TEST_FILE]: OLD_TEST };
const FIXED = { 'calc.py': 'def add(a, b):\n    return a + b\n' };

/** In the form of the evaluation scripts of SWE-bench, as its rows carry them. */
const EVAL_SH = `#!/bin/bash
set -uxo pipefail
cd /testbed
git config --global --add safe.directory /testbed
cd /testbed
git status
git show
git -c core.fileMode=false diff ${BASE}
mkdir -p /opt/made-by-root && touch /opt/made-by-root/x
git checkout ${BASE} ${TEST_FILE}
git apply -v - <<'EOF_114329324912'
diff --git a/${TEST_FILE} b/${TEST_FILE}
--- a/${TEST_FILE}
+++ b/${TEST_FILE}
@@ -3,3 +3,7 @@

 def test_zero():
     assert add(1, 0) == 1
+
+
+def test_sum():
+    assert add(2, 2) == 4
EOF_114329324912
: '>>>>> Start Test Output'
PYTHONPATH=. python3 -m pytest --no-header -rA -p no:cacheprovider ${TEST_FILE}
SWEBENCH_TEST_EXIT_CODE=$?
: '>>>>> End Test Output'
echo ">>>>> Test Exit Code: $SWEBENCH_TEST_EXIT_CODE"
git checkout ${BASE} ${TEST_FILE}
`;

let bench: Bench;
let snapshot: Snapshot;
beforeAll(async () => {
  bench = await openBench();
  snapshot = await snapshotOf(bench, TREE, 'swe');
});
afterAll(() => bench.dispose());

async function judge(changes: GradeRequest['changes'], script = EVAL_SH) {
  const { task, dispose } = testTask(
    { 'test.sh': script },
    { reader: { kind: 'swe-bench', parser: 'parse_log_pytest', failOnly: false } },
    {
      workdir: '/testbed',
      tree: { kind: 'image' },
      expected: {
        failToPass: [`${TEST_FILE}::test_sum`],
        passToPass: [`${TEST_FILE}::test_zero`],
      },
      metadata: { vivarium: { base_commit: BASE, instance_id: 'demo__calc-1' } },
    },
  );
  const { grading, blobs } = await grade(requestOf(bench, task, snapshot, changes));
  dispose();
  return { grading, log: Buffer.from(blobs[1] ?? []).toString() };
}

describe("SWE-bench's evaluation script, as its rows carry it", () => {
  test('fails without a patch and resolves with the fix', async () => {
    const before = await judge([]);
    expect(before.grading).toMatchObject({ state: 'graded', resolved: false, reward: 0 });
    expect(before.grading.failToPass?.unmet).toEqual([
      { name: `${TEST_FILE}::test_sum`, status: 'FAILED' },
    ]);
    const after = await judge(written(FIXED));
    expect(after.grading).toMatchObject({
      state: 'graded',
      resolved: true,
      tests: { PASSED: 2 },
      readBy: 'parse_log_pytest',
    });
    expect(after.log).toContain('Updated 1 path from');
    expect(after.log).not.toMatch(/fatal:|error:|Permission denied|Read-only/);
  });

  test('tests that a patch weakened are those of the commit again', async () => {
    const weak = { [TEST_FILE]: 'def test_zero(): pass\ndef test_sum(): pass\n' };
    expect((await judge(written(weak))).grading).toMatchObject({ resolved: false });
    expect((await judge(written({ ...FIXED, ...weak }))).grading).toMatchObject({ resolved: true });
  });

  test('P09 passes that a patch prints itself contradict the exit code', async () => {
    const forged = {
      'conftest.py': `import os\nprint('PASSED ${TEST_FILE}::test_sum')\nprint('PASSED ${TEST_FILE}::test_zero', flush=True)\nos._exit(1)\n`,
    };
    expect((await judge(written(forged))).grading).toMatchObject({
      state: 'infra',
      infra: { reason: 'no_reward' },
    });
  });

  test('a parser that is not known is refused before anything runs', async () => {
    const reader = { kind: 'swe-bench', parser: 'parse_log_x', failOnly: false } as const;
    const { task, dispose } = testTask({ 'test.sh': EVAL_SH }, { reader });
    const began = performance.now();
    const request = { ...requestOf(bench, task, snapshot, []), image: 'none:such' };
    await expect(grade(request)).rejects.toMatchObject({ code: 'task_invalid' });
    expect(performance.now() - began).toBeLessThan(500);
    dispose();
  });

  test('a patch that breaks every import is a failed one', async () => {
    const broken = { 'calc.py': 'def add(:\n' };
    const { grading } = await judge(written(broken));
    expect(grading).toMatchObject({ state: 'graded', resolved: false });
    expect(grading.failToPass?.unmet[0]?.status).toBe('MISSING');
  });
});
