import { expect, test } from 'vitest';
import {
  listSnapshots,
  openSnapshot,
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
