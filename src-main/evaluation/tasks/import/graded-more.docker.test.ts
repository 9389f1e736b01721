import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBench, TEST_IMAGE, type Bench } from '../../../../test/support/workspaces.ts';
import type { Grading } from '../../../contract/index.ts';
import { withJudge } from '../open-judge.ts';
import { readTask } from '../read-task.ts';
import { benchParts } from '../testing.ts';
import { importTasks, type ImportRequest } from './import-tasks.ts';

/** Rows of PatchEval and SWE-bench Pro, on images made for them, from file to verdict. */

const TAG = 'vivarium-import-test:1';
const CALC = 'def half(n):\n    return n // 2\n';
const FIX =
  'diff --git a/calc.py b/calc.py\n--- a/calc.py\n+++ b/calc.py\n@@ -1,2 +1,2 @@\n def half(n):\n-    return n // 2\n+    return n / 2\n';
const RAISES = FIX.replace('return n / 2', 'raise OSError');

/** The repository at two places, and PatchEval's scripts beside one of them. */
const FILES = {
  Dockerfile: `FROM ${TEST_IMAGE}\nCOPY app /app\nCOPY app /workspace/calc\nCOPY scripts /workspace\n`,
  'app/calc.py': CALC,
  'scripts/prepare.sh': 'cd /workspace/calc && git reset --quiet --hard && git clean --quiet -fd\n',
  'scripts/fix-run.sh':
    "cd /workspace/calc && git apply ../fix.patch && python3 -c 'import calc; assert calc.half(3) == 1.5'\n",
  'scripts/unit_test.sh':
    "cd /workspace/calc && python3 -c 'import calc; assert calc.half(4) == 2'\n",
  'scripts/llm.patch': FIX,
};

let bench: Bench;
let folder: string;
beforeAll(async () => {
  bench = await openBench();
  folder = await mkdtemp(path.join(tmpdir(), 'graded-'));
  for (const [name, content] of Object.entries(FILES)) {
    const file = path.join(folder, 'image', name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  const place = path.join(folder, 'image');
  execFileSync('docker', ['build', '--quiet', '--network=none', '--tag', TAG, place], {
    stdio: 'ignore',
  });
});
afterAll(async () => {
  execFileSync('docker', ['image', 'rm', TAG], { stdio: 'ignore' });
  await bench.dispose();
  await rm(folder, { recursive: true, force: true });
});

async function verdicts(
  name: string,
  row: Record<string, unknown>,
  request: Pick<ImportRequest, 'format'> & Partial<ImportRequest>,
  patches: readonly string[],
): Promise<Grading[]> {
  const source = path.join(folder, `${name}.json`);
  const out = path.join(folder, 'out');
  await writeFile(source, JSON.stringify([row]));
  await importTasks({ source, out, ...request });
  const task = await readTask(path.join(out, name));
  return withJudge(benchParts(bench), async ({ patch: judge }) => {
    const found: Grading[] = [];
    for (const patch of patches) found.push((await judge(task, Buffer.from(patch))).grading);
    return found;
  });
}

test('PatchEval: the exploit works before the fix, and neither it nor a failing unit test after', async () => {
  const row = {
    ...{ cve_id: 'CVE-2020-1', image_name: TAG, work_dir: '/workspace/calc' },
    problem_statement: 'Fix.',
  };
  const [before, after, breaks] = await verdicts('CVE-2020-1', row, { format: 'patcheval' }, [
    '',
    FIX,
    RAISES,
  ]);
  expect(before).toMatchObject({ state: 'graded', resolved: false, reward: 0 });
  expect(after).toMatchObject({
    ...{ state: 'graded', resolved: true, reward: 1 },
    rewards: { strict: 1, exploit_only: 1 },
  });
  expect(breaks).toMatchObject({ state: 'graded', resolved: false });
});

test("SWE-bench Pro: the row's tests are laid over the tree, and its parser's output is graded", async () => {
  const id = 'instance_a__b-1';
  const scripts = path.join(folder, 'run_scripts', id);
  await mkdir(scripts, { recursive: true });
  await writeFile(
    path.join(scripts, 'run_script.sh'),
    'python3 -m pytest -rA -p no:cacheprovider "$1"\n',
  );
  await writeFile(
    path.join(scripts, 'parser.py'),
    `import json, re, sys
tests = re.findall(r"^(PASSED|FAILED) (\\S+)", open(sys.argv[1]).read(), re.M)
json.dump({"tests": [{"name": name, "status": status} for status, name in tests]}, open(sys.argv[3], "w"))
`,
  );
  const row = {
    ...{ instance_id: id, repo: 'a/b', base_commit: '01', patch: FIX, problem_statement: 'Fix.' },
    // A tag with the path of a registry is taken as the whole name.
    dockerhub_tag: 'local/import-test:1',
    test_patch:
      'diff --git a/test_calc.py b/test_calc.py\nnew file mode 100644\n--- /dev/null\n+++ b/test_calc.py\n@@ -0,0 +1,7 @@\n+from calc import half\n+\n+def test_odd():\n+    assert half(3) == 1.5\n+\n+def test_even():\n+    assert half(4) == 2\n',
    fail_to_pass: "['test_calc.py::test_odd']",
    pass_to_pass: "['test_calc.py::test_even']",
    before_repo_set_cmd: 'git reset --hard 01\ngit checkout 0123456789abcdef -- test_calc.py',
    selected_test_files_to_run: "['test_calc.py']",
  };
  const request = { format: 'swe-bench-pro', runScripts: path.dirname(scripts) } as const;
  execFileSync('docker', ['tag', TAG, 'local/import-test:1']);
  try {
    const [before, after] = await verdicts(id, row, request, ['', FIX]);
    expect(before).toMatchObject({
      ...{ state: 'graded', resolved: false },
      failToPass: { expected: 1, met: 0 },
      passToPass: { expected: 1, met: 1 },
    });
    expect(after).toMatchObject({ state: 'graded', resolved: true, reward: 1 });
  } finally {
    execFileSync('docker', ['image', 'rm', 'local/import-test:1'], { stdio: 'ignore' });
  }
});
