import { execFileSync } from 'node:child_process';
import {
  chmod,
  link,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  truncate,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readTask } from './read-task.ts';
import { readTaskSet } from './read-task-set.ts';
import type { NewTask, TreeFile } from './types.ts';
import { unpackTree } from './unpack-tree.ts';
import { writeTask } from './write-task.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tasks-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const file = (name: string, text: string, mode: TreeFile['mode'] = '100644'): TreeFile => ({
  path: name,
  mode,
  content: Buffer.from(text),
});

const TREE = [
  file('run.sh', '#!/bin/sh\n', '100755'),
  file('a/b.py', 'x = 1\r\n'),
  file('link', 'a/b.py', '120000'),
  file(`${'ä'.repeat(60)}/a file, [odd].txt`, 'odd'),
];

const NEW: NewTask = {
  name: 'first',
  instruction: 'Fix "it".\n\nAll of it.\n\n',
  image: 'vivarium-base:latest',
  workdir: '/workspace',
  tree: TREE,
  tests: { 'test.sh': '#!/bin/sh\n', 'files/tests/test_a.py': 'def test(): pass\n' },
  fix: Buffer.from('--- a/a/b.py\r\n'),
  expected: { failToPass: ['a::b[1, "2"]', "it's\nlong"], passToPass: ['ä'] },
  verifier: { on: 'patch', timeoutMs: 90_000, reader: { kind: 'junit' }, protect: ['*.cfg'] },
  agentTimeoutMs: 120_500,
  limits: { cpus: 1.5, memoryBytes: 1024 ** 3 },
  source: { kind: 'test', number: 3, checked: false },
};

test('a task that was written is read as it was meant', async () => {
  const task = await writeTask(folder, NEW);
  const place = path.join(folder, 'first');
  expect(task).toEqual({
    name: 'first',
    folder: place,
    instruction: 'Fix "it".\n\nAll of it.\n',
    image: {
      reference: 'vivarium-base:latest',
      dockerfile: path.join(place, 'environment/Dockerfile'),
    },
    tree: { kind: 'archive', file: path.join(place, 'environment/repository.tar') },
    workdir: '/workspace',
    limits: { cpus: 1.5, memoryBytes: 1024 ** 3, diskBytes: null },
    agentTimeoutMs: 120_500,
    wantsNetwork: false,
    verifier: {
      on: 'patch',
      timeoutMs: 90_000,
      env: {},
      reader: { kind: 'junit' },
      protect: ['*.cfg'],
    },
    expected: NEW.expected,
    metadata: {
      vivarium: {
        image: 'vivarium-base:latest',
        workdir: '/workspace',
        tree: 'repository.tar',
        verifier: { on: 'patch', reader: 'junit', protect: ['*.cfg'] },
        ...NEW.source,
      },
    },
    hash: task.hash,
  });
  expect(task.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(await readFile(path.join(place, 'environment/Dockerfile'), 'utf8')).toBe(
    'FROM vivarium-base:latest\nADD repository.tar /workspace/\nWORKDIR /workspace\n',
  );
  expect(await readFile(path.join(place, 'solution/fix.patch'), 'utf8')).toBe('--- a/a/b.py\r\n');
  expect(await readdir(folder)).toEqual(['first']);
  expect(await readTaskSet(place)).toMatchObject({ tasks: [{ hash: task.hash }], refused: [] });
});

test('the tree comes back with modes, links, odd names and bytes, the same from our reader and from tar', async () => {
  const { tree } = await writeTask(folder, NEW);
  const archive = tree.kind === 'archive' ? tree.file : '';
  const found = new Map<string, TreeFile>();
  for await (const entry of unpackTree(archive)) found.set(entry.path, entry);
  expect([...found.values()]).toEqual(
    [...TREE].sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path))),
  );
  const listed = execFileSync('tar', ['-tf', archive, '--quoting-style=literal'], {
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  });
  const names = listed.toString().trim().split('\n');
  expect(names.filter((name) => !name.endsWith('/')).toSorted()).toEqual(
    [...found.keys()].toSorted(),
  );
});

test('the hash is that of the content: same again, another with any change', async () => {
  const first = await writeTask(folder, NEW);
  const again = await writeTask(path.join(folder, 'other'), { ...NEW, tree: TREE.toReversed() });
  expect(again.hash).toBe(first.hash);
  const script = path.join(folder, 'first/tests/test.sh');
  await chmod(script, 0o644);
  const mode = await readTask(first.folder);
  await chmod(script, 0o755);
  await writeFile(path.join(folder, 'first/instruction.md'), 'Fix it.');
  const text = await readTask(first.folder);
  expect(new Set([first.hash, mode.hash, text.hash]).size).toBe(3);
  await symlink('/etc/passwd', path.join(folder, 'first/tests/link'));
  await expect(readTask(first.folder)).rejects.toMatchObject({
    code: 'task_invalid',
    message: 'task first: tests/link in the task is a link that leaves its folder',
  });
});

test('hostile or doubled names are refused, and leave nothing behind', async () => {
  const bad = ['../x', '/x', 'a/../b', '.git/config', 'a/.GIT/x', 'a\0b', ''];
  for (const name of bad) {
    const tree = [file(name, '')];
    await expect(writeTask(folder, { ...NEW, tree })).rejects.toMatchObject({
      code: 'task_invalid',
    });
  }
  for (const change of [
    { tree: [file('a', ''), file('a', '')] },
    { tree: [file('a', ''), file('a/b', '')] },
    { name: '../up' },
    { name: 'a b' },
    { image: 'x y' },
    { image: 'FROM\nRUN' },
    { workdir: '/a b' },
    { workdir: 'relative' },
    { workdir: '/a/../b' },
    { tests: { 'run.sh': '' } },
    { tests: { 'test.sh': '', '../../x': '' } },
  ]) {
    await expect(writeTask(folder, { ...NEW, ...change })).rejects.toMatchObject({
      code: 'task_invalid',
    });
  }
  expect(await readdir(folder)).toEqual([]);
});

test('files that no workspace could get cost their task alone, and not the set', async () => {
  await writeTask(folder, { ...NEW, name: 'good' });
  const bad = (await writeTask(folder, { ...NEW, name: 'bad' })).folder;
  const reason = async () => (await readTaskSet(folder)).refused.map((one) => one.reason);
  const latin = Buffer.concat([Buffer.from(`${bad}/tests/caf`), Buffer.from([0xe9])]);
  await writeFile(latin, '');
  expect(await reason()).toEqual([
    'task bad: the name of tests/caf\ufffd in the task is not UTF-8',
  ]);
  await unlink(latin);
  const huge = path.join(bad, 'tests', 'huge');
  await writeFile(huge, '');
  await truncate(huge, 512 * 2 ** 20 + 1);
  expect(await reason()).toEqual(['task bad: tests/huge is larger than 512 MiB']);
  await unlink(huge);
  expect(await reason()).toEqual([]);
});

test('nothing is overwritten', async () => {
  await writeTask(folder, NEW);
  await expect(writeTask(folder, NEW)).rejects.toMatchObject({ code: 'out_unwritable' });
});

test('an archive made by others is read as hostile', async () => {
  const archive = path.join(folder, 'x.tar');
  const make = (...args: string[]) => execFileSync('tar', ['-cPf', archive, '-C', folder, ...args]);
  const read = async () => {
    const names: string[] = [];
    for await (const { path: name } of unpackTree(archive)) names.push(name);
    return names;
  };
  await writeFile(path.join(folder, 'x'), 'text');
  const long = 'y'.repeat(160);
  await writeFile(path.join(folder, long), 'text');
  make('--format=gnu', './x', `./${long}`);
  expect(await read()).toEqual(['x', long]);
  for (const transform of ['s,^x,../x,', 's,^x,/x,', 's,^x,a/.git/x,']) {
    make(`--transform=${transform}`, 'x');
    await expect(read()).rejects.toMatchObject({ code: 'task_invalid' });
  }
  await link(path.join(folder, 'x'), path.join(folder, 'z'));
  make('x', 'z');
  await expect(read()).rejects.toThrow('"z": it is no file, link or folder');
  await writeFile(archive, 'no tar at all'.repeat(100));
  await expect(read()).rejects.toThrow('cannot be used');
});
