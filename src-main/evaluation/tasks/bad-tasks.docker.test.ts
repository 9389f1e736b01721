import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBench, TEST_IMAGE, type Bench } from '../../../test/support/workspaces.ts';
import type { TaskCheck } from './check-file.ts';
import { checkTask } from './check-task.ts';
import { commandVerifier } from './command-verifier.ts';
import { withJudge } from './open-judge.ts';
import { taskTree } from './task-tree.ts';
import { benchParts } from './testing.ts';
import type { NewTask, TreeFile } from './types.ts';
import { writeTask } from './write-task.ts';

let bench: Bench;
let folder: string;
beforeAll(async () => {
  bench = await openBench();
  folder = await mkdtemp(path.join(tmpdir(), 'bad-tasks-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await bench.dispose();
});

const CALC = 'def add(a, b):\n    return a - b\n';
const FIX =
  '--- a/calc.py\n+++ b/calc.py\n@@ -1,2 +1,2 @@\n def add(a, b):\n-    return a - b\n+    return sum((a, b), start=0)\n';
const HEAD = 'import os, random, time\nimport pytest\nfrom calc import add\n\n';
const TESTS = `${HEAD}def test_sum():
    assert add(2, 2) == 4


def test_zero():
    assert add(1, 0) == 1
`;
const SUM = 'test_calc.py::test_sum';
const ZERO = 'test_calc.py::test_zero';
const WORKDIR = '/workspace';

interface Bad extends Partial<Omit<NewTask, 'tests' | 'fix' | 'expected' | 'tree'>> {
  tests?: string;
  /** Text of tests/test.sh. */
  script?: string;
  tree?: Record<string, string>;
  fix?: string;
  expected?: null;
  failToPass?: string[];
  passToPass?: string[];
  dropFlaky?: boolean;
  seed?: number;
}

async function check(name: string, bad: Bad): Promise<TaskCheck> {
  const { tests = TESTS, script, tree, fix = FIX, failToPass, passToPass, ...more } = bad;
  const verifier = await commandVerifier({
    workdir: WORKDIR,
    command: 'python3 -m pytest -q -p no:warnings test_calc.py',
    files: { 'test_calc.py': tests },
  });
  const { dropFlaky = true, seed = 1, ...task } = more;
  const written = await writeTask(folder, {
    name,
    instruction: 'Adding two numbers gives their difference.',
    image: TEST_IMAGE,
    workdir: WORKDIR,
    tree: Object.entries({ 'calc.py': CALC, ...tree }).map(fileOf),
    tests: { ...verifier, ...(script !== undefined && { 'test.sh': script }) },
    fix: Buffer.from(fix),
    expected: { failToPass: failToPass ?? [SUM], passToPass: passToPass ?? [ZERO] },
    verifier: { on: 'patch', timeoutMs: 30_000, reader: { kind: 'junit' } },
    agentTimeoutMs: null,
    source: { kind: 'test' },
    ...task,
  });
  const parts = benchParts(bench);
  const treeOf = (one: typeof written) => taskTree(one, TEST_IMAGE, parts.readImage);
  const options = { reruns: 2, seed, dropFlaky, strict: true, signal: parts.signal };
  return withJudge(parts, (judges) => checkTask(written, { judges, treeOf, ...options }));
}

function fileOf([name, text]: [string, string]): TreeFile {
  return { path: name, mode: '100644', content: Buffer.from(text) };
}

/** Twenty tests, so that not one of them flips is as good as impossible. */
const flips = (condition: string) =>
  `${TESTS}\n\n@pytest.mark.parametrize('n', range(20))\ndef test_flip(n):\n    assert ${condition}\n`;
const FLIPS = Array.from({ length: 20 }, (_, at) => `test_calc.py::test_flip[${at}]`);
const FLAKY = { passToPass: [ZERO, ...FLIPS], dropFlaky: false };

test('the task that the bad ones are made of is good', async () => {
  expect(await check('good', {})).toMatchObject({ ok: true, problems: [], flaky: [] });
});

test('a fix that fails as root is judged as another user', async () => {
  const found = await check('not-root', { tests: asUser('!='), passToPass: [] });
  expect(found).toMatchObject({ ok: true, problems: [] });
});

test.each<[string, Bad]>([
  ['time', { ...FLAKY, tests: flips('time.time_ns() // 1000 % 2') }],
  ['random', { ...FLAKY, tests: flips('random.random() < 0.5') }],
])('refused: tests that are flaky by %s', async (name, bad) => {
  const found = await check(`flaky-${name}`, bad);
  expect(found).toMatchObject({ ok: false, dropped: false });
  expect(found.flaky.length).toBeGreaterThan(0);
  expect(FLIPS).toEqual(expect.arrayContaining(found.flaky));
});

const ORDERED = `${HEAD}SEEN = []


def test_first():
    SEEN.append(1)


def test_second():
    assert SEEN and add(2, 2) == 4
`;
/** As python-dotenv's: root may read what nobody may. */
const asUser = (is: '==' | '!=') => `${HEAD}def test_sum():
    assert add(2, 2) == 4
    assert os.geteuid() ${is} 0
`;

/** Names of what is wrong, and all that a check has to say of it. */
const REFUSED: [string, Bad, (string | RegExp)[]][] = [
  [
    'flaky by order',
    { tests: ORDERED, failToPass: ['test_calc.py::test_second'], passToPass: [], seed: 3 },
    ['no steady test tells the fix'],
  ],
  [
    'gold fails',
    { fix: FIX.replace('start=0', 'start=1') },
    [`fail with the fix: ${SUM}, ${ZERO}`],
  ],
  [
    'gold passes as root only',
    { tests: asUser('=='), passToPass: [] },
    [`fail with the fix: ${SUM}`],
  ],
  ['no failing test', { failToPass: [SUM, ZERO], passToPass: [] }, [`pass without a fix: ${ZERO}`]],
  ['empty F2P', { failToPass: [] }, ['no test is named that the fix would mend']],
  [
    'test file in the tree',
    { tree: { 'old/copy.py': TESTS } },
    ['the tree holds tests/files/test_calc.py as old/copy.py'],
  ],
  [
    'fix in the tree',
    { tree: { 'todo.patch': FIX } },
    ['the tree holds solution/fix.patch as todo.patch'],
  ],
  [
    'instruction quotes the fix',
    { instruction: 'It should `return sum((a, b), start=0)` and does not.' },
    ['the instruction quotes a line of the fix: return sum((a, b), start=0)'],
  ],
  [
    'verifier installs from a network',
    { script: '#!/bin/sh\npip install pytest && pytest\n', expected: null, verifier: reward() },
    [
      /^the tree could not be judged: it left neither/,
      'tests/test.sh line 2 reaches out (pip install)',
    ],
  ],
  [
    'tests need a network',
    {
      tests: `${HEAD}import urllib.request\n\n\ndef test_sum():\n    assert add(2, 2) == 4\n    urllib.request.urlopen('http://192.0.2.1/', timeout=2)\n`,
      passToPass: [],
    },
    [`fail with the fix: ${SUM}`, /^with the fix the log says: .*Network is unreachable/],
  ],
  [
    'collection error',
    { tests: 'def test_sum(:\n' },
    [
      `fail without a fix, but are to keep passing: ${ZERO}`,
      `fail with the fix: ${SUM}, ${ZERO}`,
      'no test on its lists leaves a result with the fix',
    ],
  ],
  [
    'time-out',
    { tests: `${HEAD}time.sleep(60)\n`, verifier: { ...junit(), timeoutMs: 2_000 } },
    ['the tree could not be judged: not done after 2 s'],
  ],
  [
    'no reward',
    { script: '#!/bin/sh\nexit 0\n', expected: null, verifier: reward() },
    ['the tree could not be judged: it left neither reward.json nor reward.txt'],
  ],
  [
    'the fix does not apply',
    { fix: FIX.replaceAll('a - b', 'b - a') },
    ['the fix does not apply to the tree'],
  ],
  [
    'the fix breaks a test',
    { fix: FIX.replace('sum((a, b), start=0)', 'a * b') },
    [`fail with the fix: ${ZERO}`],
  ],
  [
    'image missing',
    { image: 'vivarium-not-here:1' },
    [/^the tree could not be judged: .*not-here:1 is not on this/],
  ],
  [
    'missing module',
    { tests: `import not_in_this_image\n${TESTS}` },
    [
      `fail without a fix, but are to keep passing: ${ZERO}`,
      `fail with the fix: ${SUM}, ${ZERO}`,
      'no test on its lists leaves a result with the fix',
      /^with the fix the log says: .*No module named 'not_in_this_image'/,
    ],
  ],
  [
    'a test that is gone',
    { passToPass: ['test_calc.py::test_gone'] },
    [
      'fail without a fix, but are to keep passing: test_calc.py::test_gone',
      'fail with the fix: test_calc.py::test_gone',
    ],
  ],
];

function junit(): NewTask['verifier'] {
  return { on: 'patch', timeoutMs: 30_000, reader: { kind: 'junit' } };
}

function reward(): NewTask['verifier'] {
  return { ...junit(), reader: { kind: 'reward' } };
}

test.each(REFUSED)('refused: %s', async (name, bad, reasons) => {
  const { ok, problems } = await check(name.replaceAll(' ', '-'), bad);
  expect(ok).toBe(false);
  expect(problems).toEqual(
    reasons.map((reason) => (typeof reason === 'string' ? reason : expect.stringMatching(reason))),
  );
});

test('refused on reading: an empty instruction; on writing: history in the tree', async () => {
  await expect(check('empty', { instruction: ' \n' })).rejects.toMatchObject({
    code: 'task_invalid',
    message: expect.stringContaining('instruction.md is empty'),
  });
  await expect(check('history', { tree: { '.git/HEAD': 'ref: x\n' } })).rejects.toMatchObject({
    code: 'task_invalid',
    message: expect.stringContaining('.git'),
  });
});
