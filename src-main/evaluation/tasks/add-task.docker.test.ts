import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from 'vitest';
import { fingerprint } from '../../../test/real/leftovers.ts';
import { openBench, TEST_IMAGE, type Bench } from '../../../test/support/workspaces.ts';
import { addTask } from './add-task.ts';
import { withJudge } from './open-judge.ts';
import { benchParts } from './testing.ts';
import { unpackTree } from './unpack-tree.ts';

let bench: Bench;
let folder: string;
let repository: string;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.dispose());
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'add-'));
  repository = path.join(folder, 'repo');
  mkdirSync(repository);
  git('init', '--quiet', '--initial-branch=main');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: string[]): string {
  const env = {
    ...{ PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
    ...{ GIT_AUTHOR_NAME: 'T', GIT_AUTHOR_EMAIL: 't@x', GIT_COMMITTER_NAME: 'T' },
    GIT_COMMITTER_EMAIL: 't@x',
  };
  return execFileSync('git', args, { cwd: repository, env }).toString().trim();
}

function commit(message: string, files: Readonly<Record<string, string | null>>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(repository, name);
    if (content === null) rmSync(file);
    else {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
  }
  git('add', '--all');
  git('commit', '--quiet', '--message', message);
}

const FIRST = {
  'calc.py': 'def half(n):\n    return n // 2\r\n',
  'tests/test_calc.py': 'from calc import half\n\ndef test_even():\n    assert half(4) == 2\n',
  'tests/test_old.py': 'def test_old():\n    assert True\n',
  'notes.txt': 'notes\n',
};
const FIX = {
  'calc.py': 'def half(n):\n    return n / 2\r\n',
  'tests/test_calc.py':
    'from calc import half\n\ndef test_even():\n    assert half(4) == 2\n\ndef test_odd():\n    assert half(3) == 1.5\n',
  'tests/test_old.py': null,
};

const add = (more: Partial<Parameters<typeof addTask>[0]> = {}) =>
  withJudge(benchParts(bench), ({ patch: judge }) =>
    addTask({
      repository,
      commit: 'HEAD~1',
      issue: 'half(3) is 1.',
      verify: 'PYTHONPATH=. python3 -m pytest -q',
      out: path.join(folder, 'out'),
      image: TEST_IMAGE,
      judge,
      ...more,
    }),
  );

test('a fixed bug of the history becomes a task; the repository is only read', async () => {
  commit('First', FIRST);
  commit("Halve odd numbers, too: it's right", FIX);
  commit('Later', { 'notes.txt': 'more\n' });
  const before = await fingerprint(repository);
  const { task, found, notCarried } = await add();
  expect(await fingerprint(repository)).toBe(before);
  expect(task.name).toBe(`halve-odd-numbers-too-it-s-${git('rev-parse', 'HEAD~1').slice(0, 10)}`);
  expect(task.expected).toEqual({
    failToPass: ['tests/test_calc.py::test_odd'],
    passToPass: ['tests/test_calc.py::test_even'],
  });
  const tree: Record<string, string> = {};
  for await (const file of unpackTree(task.tree.kind === 'archive' ? task.tree.file : '')) {
    tree[file.path] = Buffer.from(file.content).toString();
  }
  expect(tree).toEqual(FIRST);
  expect(found?.broken).toEqual([]);
  expect(notCarried).toEqual([]);
  expect(task.metadata).toMatchObject({
    vivarium: {
      kind: 'commit',
      commit: git('rev-parse', 'HEAD~1'),
      parent: git('rev-parse', 'HEAD~2'),
    },
  });
});

test('a command that is no pytest is judged by its exit code', async () => {
  commit('First', FIRST);
  commit('Fix', { ...FIX, 'tests/test_old.py': FIRST['tests/test_old.py'] });
  const verify = "python3 -c 'import calc; assert calc.half(3) == 1.5'";
  const { task, found } = await add({ commit: 'main', verify, name: 'by-code' });
  expect(found).toBeNull();
  expect(task).toMatchObject({ expected: null, verifier: { reader: { kind: 'reward' } } });
});

test('commits that give no task are refused with the reason', async () => {
  commit('First', FIRST);
  commit('Only code', { 'calc.py': FIX['calc.py'] });
  commit('Only tests', { 'tests/test_calc.py': FIX['tests/test_calc.py'] });
  await expect(add({ commit: 'HEAD' })).rejects.toThrow('changes nothing but test files');
  await expect(add({ commit: 'HEAD~1' })).rejects.toThrow('changes no test files');
  await expect(add({ commit: 'HEAD~2' })).rejects.toMatchObject({ code: 'usage' });
  await expect(add({ commit: '--help' })).rejects.toMatchObject({ code: 'usage' });
  commit('Feature', {
    'calc.py': 'def half(n):\n    return n / 2\n\n\ndef third(n):\n    return n / 3\n',
    'tests/test_calc.py': 'def test_nothing():\n    assert True\n',
  });
  commit('Breaks', {
    'calc.py': 'half = 1\n',
    'tests/test_calc.py': 'def test_nothing():\n    assert 1\n',
  });
  await expect(add({ commit: 'HEAD' })).rejects.toThrow('no test fails before the fix');
});
