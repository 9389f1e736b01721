import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changesOfTree, makePatch, mergeChanges, seedEntries, seedEntriesAt } from './index.ts';
import { applied, patchOf, snapshotWith } from './testing/patches.ts';
import {
  commitAll,
  deleted,
  file,
  filesOf,
  git,
  gitLine,
  symlink,
  testFolder,
  unpack,
  write,
} from './testing/repositories.ts';

const BASE = { 'a.py': 'one\ntwo\n', 'keep.txt': 'keep\n' };

describe('P04 every kind of change applies and gives the same bytes and modes', () => {
  test('binary, CRLF, Latin-1, chmod, no final newline, odd names, delete, rename', async () => {
    const snapshot = await snapshotWith({
      'bin.dat': Buffer.from([0, 1, 2, 3, 255]),
      'crlf.txt': 'a\r\nb\r\nc\r\n',
      'latin1.txt': Buffer.from('caf\xe9\nna\xefve\n', 'latin1'),
      'plain.sh': '#!/bin/sh\n',
      'run.sh': { run: '#!/bin/sh\n' },
      'end.txt': 'with end\n',
      'noend.txt': 'without end',
      'uml-\u00e4.txt': 'x\n',
      'gone.txt': 'bye\n',
      'old-name.txt': 'moved\ncontent\n',
      link: { link: 'end.txt' },
      'becomes-link': 'file\n',
      'becomes-file': { link: 'end.txt' },
      'folder/inner': 'x\n',
      'file-to-folder': 'x\n',
      empty: '',
    });
    const patch = await makePatch(snapshot, [
      file('bin.dat', Buffer.from([9, 0, 8, 0, 7])),
      file('crlf.txt', 'a\r\nB\r\nc\r\nd\n'),
      file('latin1.txt', Buffer.from('caf\xe9s\nna\xefve\n', 'latin1')),
      file('plain.sh', '#!/bin/sh\n', true),
      file('run.sh', '#!/bin/sh\n'),
      file('end.txt', 'without end'),
      file('noend.txt', 'with end\n'),
      file('uml-\u00e4.txt', '\u00e4\n'),
      file('new\nline.txt', 'x\n'),
      file('quo"te\t\\.txt', 'x\n'),
      file('-dash', 'x\n'),
      file(' blank ', 'x\n'),
      file('\u6f22/\u5b57.txt', 'x\n'),
      deleted('gone.txt'),
      deleted('old-name.txt'),
      file('new-name.txt', 'moved\ncontent\n'),
      symlink('link', 'noend.txt'),
      symlink('becomes-link', 'end.txt'),
      file('becomes-file', 'file\n'),
      deleted('folder/inner'),
      file('folder', 'a file now\n'),
      deleted('file-to-folder'),
      file('file-to-folder/inner', 'x\n'),
      file('empty', 'not any more\n'),
      file('new-empty', ''),
      file('new-bin', Buffer.from([0, 200, 0])),
    ]);
    expect(await applied(snapshot, patch)).toEqual({
      'bin.dat': '100644 \t\0\b\0\u0007',
      'crlf.txt': '100644 a\r\nB\r\nc\r\nd\n',
      'latin1.txt': '100644 caf\xe9s\nna\xefve\n',
      'plain.sh': '100755 #!/bin/sh\n',
      'run.sh': '100644 #!/bin/sh\n',
      'end.txt': '100644 without end',
      'noend.txt': '100644 with end\n',
      'uml-\u00e4.txt': '100644 \xc3\xa4\n',
      'new\nline.txt': '100644 x\n',
      'quo"te\t\\.txt': '100644 x\n',
      '-dash': '100644 x\n',
      ' blank ': '100644 x\n',
      '\u6f22/\u5b57.txt': '100644 x\n',
      'new-name.txt': '100644 moved\ncontent\n',
      link: '120000 noend.txt',
      'becomes-link': '120000 end.txt',
      'becomes-file': '100644 file\n',
      folder: '100644 a file now\n',
      'file-to-folder/inner': '100644 x\n',
      empty: '100644 not any more\n',
      'new-empty': '100644 ',
      'new-bin': '100644 \0\xc8\0',
    });
    expect(patch.files).toHaveLength(26);
    expect(patch.files.find(({ path }) => path === 'bin.dat')).toEqual({
      path: 'bin.dat',
      status: 'modified',
      insertions: null,
      deletions: null,
    });
    expect(patch.files.find(({ path }) => path === 'crlf.txt')).toEqual({
      path: 'crlf.txt',
      status: 'modified',
      insertions: 2,
      deletions: 1,
    });
    expect(patch.files.find(({ path }) => path === 'gone.txt')?.status).toBe('deleted');
    expect(patch.files.find(({ path }) => path === 'new\nline.txt')?.status).toBe('added');
  });

  test('files without text lines in a folder whose name ends in a blank', async () => {
    const snapshot = await snapshotWith({ 'd /mode': 'x\n', 'd /bin': Buffer.from([0, 1]) });
    const patch = await makePatch(snapshot, [
      file('d /mode', 'x\n', true),
      file('d /bin', Buffer.from([0, 2])),
      file('d / new /empty', ''),
    ]);
    expect(await applied(snapshot, patch)).toEqual({
      'd /mode': '100755 x\n',
      'd /bin': '100644 \0\u0002',
      'd / new /empty': '100644 ',
    });
    expect(patch.flags.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'binary d /bin',
      'executable d /mode',
    ]);
  });

  test('the sums, the hash and the tree are those of the bytes', async () => {
    const snapshot = await snapshotWith(BASE);
    const patch = await makePatch(snapshot, [file('a.py', 'one\n2\nthree\n')]);
    expect(Buffer.from(patch.bytes).toString()).toBe(
      [
        'diff --git a/a.py b/a.py',
        `index ${gitLine(snapshot.repository, 'rev-parse', 'HEAD:a.py')}..${hashOf('one\n2\nthree\n')} 100644`,
        '--- a/a.py',
        '+++ b/a.py',
        '@@ -1,2 +1,3 @@',
        ' one',
        '-two',
        '+2',
        '+three',
        '',
      ].join('\n'),
    );
    expect([patch.insertions, patch.deletions]).toEqual([2, 1]);
    write(snapshot.repository, { 'a.py': 'one\n2\nthree\n' });
    commitAll(snapshot.repository, 'as the patch');
    expect(patch.tree).toBe(gitLine(snapshot.repository, 'rev-parse', 'HEAD^{tree}'));
  });

  function hashOf(content: string): string {
    return git('/', ['hash-object', '--no-filters', '--stdin'], Buffer.from(content))
      .toString()
      .trim();
  }
});

describe('P08 nothing changed', () => {
  test('no changes, touched files, and a deletion of what never was give an empty patch', async () => {
    const patch = await patchOf({ ...BASE, link: { link: 'a.py' } }, [
      file('a.py', 'one\ntwo\n'),
      symlink('link', 'a.py'),
      deleted('never.txt'),
    ]);
    expect(patch.bytes).toHaveLength(0);
    expect(patch.files).toEqual([]);
    expect(patch.leftOut).toEqual([]);
    expect(patch.flags).toEqual([]);
  });
});

describe('the way of a patch', () => {
  test('seedEntriesAt gives snapshot + changes while git still shows the start', async () => {
    const snapshot = await snapshotWith({ ...BASE, 'x/y': '1\n', link: { link: 'a.py' } });
    const folder = testFolder();
    const changes = [
      file('a.py', 'new\n', true),
      deleted('keep.txt'),
      file('n/m', '1\n'),
      symlink('x/y', '../a.py'),
      file('../evil', 'x\n'),
    ];
    await unpack(seedEntriesAt(snapshot, changes), folder);
    expect(filesOf(folder)).toEqual({
      'a.py': '100755 new\n',
      'n/m': '100644 1\n',
      'x/y': '120000 ../a.py',
      link: '120000 a.py',
    });
    expect(gitLine(folder, 'status', '--porcelain')).toBe('M a.py\n D keep.txt\n T x/y\n?? n/');
    expect(gitLine(folder, 'log', '--format=%s')).toBe('Start of the session');
  });

  test('B11 status, diff and log work in the workspace, with no remote and no reflog', async () => {
    const snapshot = await snapshotWith(BASE);
    const folder = testFolder();
    await unpack(seedEntries(snapshot), folder);
    expect(gitLine(folder, 'status', '--porcelain')).toBe('');
    expect(gitLine(folder, 'branch', '--show-current')).toBe('main');
    expect(gitLine(folder, 'remote')).toBe('');
    expect(gitLine(folder, 'reflog')).toBe('');
    expect(gitLine(folder, 'fsck', '--full', '--strict')).toBe('');
    expect(gitLine(folder, 'config', 'user.email')).toBe('vivarium@localhost');
    write(folder, { 'a.py': 'one\nTWO\n' });
    expect(gitLine(folder, 'diff', '--stat')).toContain(
      '1 file changed, 1 insertion(+), 1 deletion(-)',
    );
    git(folder, ['commit', '-q', '-a', '-m', 'agent']);
    expect(gitLine(folder, 'rev-list', '--count', 'HEAD')).toBe('2');
  });

  test('P11 the changes of checkpoints add up', () => {
    const merged = mergeChanges(
      [file('a', '1'), file('b', '1')],
      [deleted('a')],
      [file('b', '2'), file('c', '1')],
    );
    expect(merged).toEqual([deleted('a'), file('b', '2'), file('c', '1')]);
  });

  test('P11 what a later checkpoint implies is deleted, even when nobody said so', () => {
    expect(mergeChanges([file('d', '1'), file('e', '1')], [file('d/x/y', '2')])).toEqual([
      deleted('d'),
      file('e', '1'),
      file('d/x/y', '2'),
    ]);
    expect(
      mergeChanges([file('d/x', '1'), file('d/y/z', '1'), file('dd', '1')], [file('d', '2')]),
    ).toEqual([deleted('d/x'), deleted('d/y/z'), file('dd', '1'), file('d', '2')]);
  });

  test('what a workspace reports becomes changes and left-out paths', () => {
    const content = Buffer.from('x');
    const tree = changesOfTree({
      written: [
        { entry: { path: 'f', kind: 'file', executable: true }, content },
        { entry: { path: 'l', kind: 'symlink', executable: false }, content },
        { entry: { path: 'pipe', kind: 'other', executable: false }, content },
      ],
      deleted: ['d'],
      refused: [{ path: 'big', reason: 'too large' }],
    });
    expect(tree.changes).toEqual([file('f', 'x', true), symlink('l', 'x'), deleted('d')]);
    expect(tree.leftOut).toEqual([
      { path: 'big', reason: 'too large' },
      { path: 'pipe', reason: 'not a regular file' },
    ]);
  });

  test('the snapshot is as before, whatever was computed on it', async () => {
    const snapshot = await snapshotWith(BASE);
    const before = filesOf(snapshot.gitDir);
    await makePatch(snapshot, [file('x', 'x\n'), file('y.log', 'y\n')]);
    await Promise.all([1, 2, 3].map((n) => makePatch(snapshot, [file('x', `${n}\n`)])));
    expect(filesOf(snapshot.gitDir)).toEqual(before);
    rmSync(join(snapshot.gitDir, 'objects'), { recursive: true });
    await expect(makePatch(snapshot, [file('x', 'x\n')])).rejects.toMatchObject({
      code: 'git_failed',
    });
    expect(Object.keys(filesOf(snapshot.gitDir))).not.toContainEqual(
      expect.stringContaining('scratch'),
    );
    rmSync(snapshot.gitDir, { recursive: true });
    await expect(makePatch(snapshot, [file('x', 'x\n')])).rejects.toMatchObject({
      code: 'store_failed',
    });
    expect(existsSync(snapshot.gitDir)).toBe(false);
  });
});
