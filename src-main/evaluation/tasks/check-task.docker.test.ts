import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openBench, TEST_IMAGE, type Bench } from '../../../test/support/workspaces.ts';
import { appFolder } from '../../lib/index.ts';
import { listOwned } from '../../workspaces/index.ts';
import { keepCheck, readChecks, type TaskCheck } from './check-file.ts';
import { checkTask, type CheckOptions } from './check-task.ts';
import { commandVerifier } from './command-verifier.ts';
import { withJudge } from './open-judge.ts';
import { readTask } from './read-task.ts';
import { taskTree } from './task-tree.ts';
import { benchParts } from './testing.ts';
import type { NewTask, Task } from './types.ts';
import { writeTask } from './write-task.ts';

let bench: Bench;
let folder: string;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.dispose());
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'check-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function check(task: Task, more: Partial<CheckOptions> = {}): Promise<TaskCheck> {
  const parts = benchParts(bench);
  const found = await withJudge(parts, (judges) =>
    checkTask(task, {
      judges,
      treeOf: (one) => taskTree(one, one.image.reference ?? '', parts.readImage),
      ...{ reruns: 1, seed: 1, dropFlaky: true, signal: parts.signal },
      ...more,
    }),
  );
  expect(await listOwned(bench.engine, bench.home)).toEqual({ containers: [], volumes: [] });
  return found;
}

const FIX =
  '--- a/calc.py\n+++ b/calc.py\n@@ -1,2 +1,2 @@\n def add(a, b):\n-    return a - b\n+    return a + b\n';
const HIDDEN = `from calc import add

SEEN = []


def test_sum():
    SEEN.append(1)
    assert add(2, 2) == 4


def test_zero():
    assert add(1, 0) == 1


def test_after_sum():
    assert SEEN
`;

async function calcTask(more: Partial<NewTask> = {}): Promise<Task> {
  const workdir = '/workspace';
  const command = 'python3 -m pytest -q test_calc.py';
  return writeTask(folder, {
    name: 'calc',
    instruction: 'add() is wrong.',
    image: TEST_IMAGE,
    workdir,
    tree: [
      {
        path: 'calc.py',
        mode: '100644',
        content: Buffer.from('def add(a, b):\n    return a - b\n'),
      },
    ],
    tests: await commandVerifier({ workdir, command, files: { 'test_calc.py': HIDDEN } }),
    fix: Buffer.from(FIX),
    expected: { failToPass: ['test_calc.py::test_sum'], passToPass: ['test_calc.py::test_zero'] },
    verifier: { on: 'patch', timeoutMs: 60_000, reader: { kind: 'junit' } },
    agentTimeoutMs: null,
    source: { kind: 'test' },
    ...more,
  });
}

test('a demonstration task is fit, in three orders of tests; what was found is kept beside it', async () => {
  await cp(
    path.join(appFolder(), 'resources/tasks/demo/ticket-age'),
    path.join(folder, 'ticket-age'),
    {
      recursive: true,
    },
  );
  const task = await readTask(path.join(folder, 'ticket-age'));
  const found = await check(task, { reruns: 3 });
  expect(found).toMatchObject({
    ok: true,
    problems: [],
    flaky: [],
    dropped: false,
    hash: task.hash,
  });
  expect(found.runs.map(({ state, order, resolved }) => [state, order, resolved])).toEqual([
    ...[null, 2, 3].map((order) => ['base', order, false]),
    ...[null, 2, 3].map((order) => ['fix', order, true]),
  ]);
  expect(found.runs.map(({ asExpected }) => asExpected)).toEqual(
    Array.from({ length: 6 }, () => ({ met: 5, of: 5 })),
  );
  await keepCheck(task, found);
  expect((await readChecks([task])).get('ticket-age')).toEqual(found);
  // Evidence ends with any change of the task, and is no part of it.
  expect((await readTask(task.folder)).hash).toBe(task.hash);
  await writeFile(path.join(task.folder, 'instruction.md'), 'Another.');
  expect((await readChecks([await readTask(task.folder)])).size).toBe(0);
});

test('a test that depends on the order is named and taken off the list', async () => {
  const passToPass = ['test_calc.py::test_after_sum', 'test_calc.py::test_zero'];
  const expected = { failToPass: ['test_calc.py::test_sum'], passToPass };
  const task = await calcTask({ expected });
  const found = await check(task, { reruns: 4 });
  expect(found).toMatchObject({
    ok: true,
    problems: [],
    flaky: ['test_calc.py::test_after_sum'],
    dropped: true,
  });
  const now = await readTask(task.folder);
  expect(now.expected?.passToPass).toEqual(['test_calc.py::test_zero']);
  expect([found.hash === now.hash, found.hash === task.hash]).toEqual([true, false]);
  await rm(task.folder, { recursive: true });
  const kept = await check(await calcTask({ expected }), { reruns: 4, dropFlaky: false });
  expect(kept).toMatchObject({ ok: false, dropped: false, flaky: found.flaky });
});

test('lists that are wrong are told apart', async () => {
  const task = await calcTask({
    expected: {
      failToPass: ['test_calc.py::test_sum', 'test_calc.py::test_zero'],
      passToPass: ['test_calc.py::test_gone'],
    },
  });
  expect((await check(task)).problems).toEqual([
    'pass without a fix: test_calc.py::test_zero',
    'fail without a fix, but are to keep passing: test_calc.py::test_gone',
    'fail with the fix: test_calc.py::test_gone',
  ]);
});

test('a fix that does not apply, that fixes nothing, that is missing', async () => {
  const broken = await calcTask({
    name: 'broken',
    fix: Buffer.from(FIX.replaceAll('a - b', 'b - a')),
  });
  expect((await check(broken)).problems).toEqual(['the fix does not apply to the tree']);
  const nothing = await calcTask({
    name: 'nothing',
    fix: Buffer.from(FIX.replace('a + b', 'a * b')),
  });
  expect((await check(nothing)).problems).toEqual(['fail with the fix: test_calc.py::test_zero']);
  const missing = await calcTask({ name: 'missing', fix: null });
  expect(await check(missing)).toMatchObject({
    ok: false,
    problems: ['it brings no known fix (solution/): whether it can be solved is not known'],
  });
});

test('an answer in the tree or in the instruction is found, and an image that is not here', async () => {
  const hidden = { path: 'docs/copy.txt', mode: '100644' as const, content: Buffer.from(HIDDEN) };
  const calc = Buffer.from('def add(a, b):\n    return a - b\n');
  const tree = [{ path: 'calc.py', mode: '100644' as const, content: calc }, hidden];
  const leaking = await calcTask({ name: 'leaking', tree });
  expect((await check(leaking)).problems).toEqual([
    'the tree holds tests/files/test_calc.py as docs/copy.txt',
  ]);
  const long = FIX.replace('return a + b', 'return sum(number for number in (a, b))');
  const instruction = 'Use return sum(number for number in (a, b)) instead.';
  const telling = await calcTask({ name: 'telling', instruction, fix: Buffer.from(long) });
  expect((await check(telling)).warnings).toEqual([
    'the instruction quotes a line of the fix: return sum(number for number in (a, b))',
  ]);
  const gone = await calcTask({ name: 'gone', image: 'vivarium-not-here:1' });
  expect((await check(gone)).problems[0]).toMatch(/^the tree could not be judged: /);
  expect(await readFile(path.join(gone.folder, 'tests/expected.json'), 'utf8')).toContain(
    'test_sum',
  );
});
