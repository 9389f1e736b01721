import { expect, test } from 'vitest';
import {
  listSnapshots,
  openSnapshot,
  removeSnapshot,
  seedEntries,
  snapshotOfTree,
  type TreeItem,
} from './index.ts';
import { filesOf, gitLine, testFolder, unpack } from './testing/repositories.ts';

const item = (path: string, content: string | Uint8Array, mode: TreeItem['mode'] = '100644') => ({
  ...{ path, mode },
  content: Buffer.from(content),
});

const TREE = [
  item('src', '', '40000'),
  item('src/a.txt', 'a\r\nb\n'),
  item('bin/run', '#!/bin/sh\n', '100755'),
  item('link', 'src/a.txt', '120000'),
  item('bytes', Buffer.from([0, 255, 13, 10])),
];

const of = (files: Iterable<TreeItem>, home: string, id = 'run-1') =>
  snapshotOfTree(files, { home, id, source: '/sets/shop' });

test('a tree of no repository becomes a snapshot with all bytes and modes', async () => {
  const home = testFolder();
  const snapshot = await of(TREE, home);
  expect(snapshot).toMatchObject({ repository: '/sets/shop', files: 4, bytes: 28, notCarried: [] });
  expect(await openSnapshot(home, 'run-1')).toEqual(snapshot);
  const folder = testFolder();
  await unpack(seedEntries(snapshot), folder);
  expect(Object.keys(filesOf(folder)).toSorted()).toEqual([
    'bin/run',
    'bytes',
    'link',
    'src/a.txt',
  ]);
  expect(gitLine(folder, 'status', '--porcelain')).toBe('');
  expect(gitLine(folder, 'rev-list', '--count', '--all')).toBe('1');
});

test('the same tree has the same start commit wherever it is made', async () => {
  const [one, two] = [await of(TREE, testFolder()), await of(TREE, testFolder(), 'other')];
  expect(one.startCommit).toBe(two.startCommit);
});

test('a name that leads elsewhere is left out and named', async () => {
  const home = testFolder();
  const files = [
    ...TREE,
    item('.git/hooks/x', ''),
    item('../up', ''),
    item('.gitmodules', 'x', '120000'),
  ];
  const { files: count, notCarried } = await of(files, home);
  expect(count).toBe(4);
  expect(notCarried.map(({ path }) => path)).toEqual(['.git/hooks/x', '../up', '.gitmodules']);
});

test('no file is a failure, and nothing is left behind', async () => {
  const home = testFolder();
  await expect(of([], home)).rejects.toMatchObject({ code: 'repo_empty' });
  expect(await listSnapshots(home)).toEqual([]);
});

test('W04 odd names come through, names that contradict each other are left out and named', async () => {
  const odd = [
    'new\nline',
    'quo"te\\',
    ' blank ',
    '-dash',
    'ümlaut',
    ':(top)x',
    '\u6f22/\u{1f600}',
  ];
  const home = testFolder();
  const files = [
    ...odd.map((path) => item(path, path)),
    ...[item('a', '1'), item('a', '2'), item('a/b', '3'), item('c/d', '4'), item('c', '5')],
    item('bad\ud800', ''),
  ];
  const snapshot = await of(files, home);
  expect(snapshot.files).toBe(odd.length + 2);
  expect(snapshot.notCarried).toEqual([
    { path: 'a', reason: 'named twice' },
    { path: 'a/b', reason: 'inside a file' },
    { path: 'c', reason: 'a file where a folder is' },
    { path: 'bad\ud800', reason: 'name is not valid Unicode' },
  ]);
  const folder = testFolder();
  await unpack(seedEntries(snapshot), folder);
  expect(filesOf(folder)).toMatchObject({
    a: '100644 1',
    'c/d': '100644 4',
    '-dash': '100644 -dash',
  });
  expect(Object.keys(filesOf(folder))).toHaveLength(odd.length + 2);
});

test('files that a .gitignore names belong to the tree, and the snapshot can be removed', async () => {
  const home = testFolder();
  const snapshot = await of([item('.gitignore', '*.so\n'), item('built.so', 'x')], home);
  expect(snapshot.files).toBe(2);
  const folder = testFolder();
  await unpack(seedEntries(snapshot), folder);
  expect(filesOf(folder)).toMatchObject({ 'built.so': '100644 x' });
  expect(gitLine(folder, 'status', '--porcelain', '--ignored')).toBe('');
  await removeSnapshot(home, 'run-1');
  expect(await listSnapshots(home)).toEqual([]);
});
