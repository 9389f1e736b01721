import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listSnapshots, openSnapshot, removeSnapshot, seedEntries, takeSnapshot } from './index.ts';
import type { Snapshot } from './index.ts';
import {
  commitAll,
  filesOf,
  fingerprint,
  git,
  gitLine,
  repositoryWith,
  testFolder,
  unpack,
  write,
} from './testing/repositories.ts';

async function snapshotOf(repository: string, history = false): Promise<Snapshot> {
  return takeSnapshot(repository, { home: testFolder(), sessionId: 's1', history });
}

async function unpacked(snapshot: Snapshot): Promise<string> {
  const folder = testFolder();
  await unpack(seedEntries(snapshot), folder);
  return folder;
}

const LATIN1 = Buffer.from('caf\xe9\n', 'latin1');

const MIXED = {
  'crlf.txt': 'a\r\nb\r\n',
  'latin1.txt': LATIN1,
  'binary.bin': Buffer.from([0, 1, 2, 255, 0]),
  'no-end.txt': 'no final newline',
  'empty.txt': '',
  'bin/run.sh': { run: '#!/bin/sh\n' },
  link: { link: 'crlf.txt' },
  dangling: { link: '/nowhere/at/all' },
  'umlaut-\u00e4\u00f6.txt': 'x\n',
  'new\nline.txt': 'x\n',
  'quo"te\'s and\\back.txt': 'x\n',
  '-dash.txt': 'x\n',
  ' leading and trailing ': 'x\n',
  ':(top)magic.txt': 'x\n',
  '\u6f22\u5b57/\ud83d\ude00.txt': 'x\n',
};

describe('takeSnapshot', () => {
  test('a clean tree gives the tree of HEAD, and all bytes, modes and names', async () => {
    const repository = repositoryWith(MIXED);
    const snapshot = await snapshotOf(repository);
    expect(snapshot.tree).toBe(gitLine(repository, 'rev-parse', 'HEAD^{tree}'));
    expect(snapshot.baseCommit).toBe(gitLine(repository, 'rev-parse', 'HEAD'));
    expect(snapshot.repository).toBe(repository);
    expect(snapshot.dirty).toEqual({ modified: 0, untracked: 0 });
    expect(snapshot.notCarried).toEqual([]);
    expect(snapshot.files).toBe(15);
    expect(filesOf(await unpacked(snapshot))).toEqual(filesOf(repository));
  });

  test('P02 modified, staged, deleted and untracked files are as the user sees them; ignored ones stay out', async () => {
    const repository = repositoryWith({
      '.gitignore': '*.log\n',
      a: '1\n',
      b: '1\n',
      c: '1\n',
      d: '1\n',
    });
    write(repository, { a: '2\n', 'new/file': 'n\n', 'x.log': 'ignored\n', staged: 's\n' });
    rmSync(join(repository, 'b'));
    rmSync(join(repository, 'd'));
    git(repository, ['add', 'staged']);
    git(repository, ['rm', '-q', '--cached', 'd']);
    const snapshot = await snapshotOf(repository);
    expect(snapshot.dirty).toEqual({ modified: 4, untracked: 1 });
    expect(filesOf(await unpacked(snapshot))).toEqual({
      '.gitignore': '100644 *.log\n',
      a: '100644 2\n',
      c: '100644 1\n',
      'new/file': '100644 n\n',
      staged: '100644 s\n',
    });
  });

  test('nothing of the repository changes: not a byte, inode or time, .git included', async () => {
    const repository = repositoryWith(MIXED);
    write(repository, { 'crlf.txt': 'changed\n', untracked: 'u\n' });
    // A stat-dirty index entry is what makes `git status` write the index.
    writeFileSync(join(repository, 'no-end.txt'), 'no final newline');
    git(repository, ['update-index', '--split-index']);
    const before = fingerprint(repository);
    await snapshotOf(repository);
    await snapshotOf(repository, true);
    expect(fingerprint(repository)).toEqual(before);
  });

  test('a subfolder leads to the whole repository', async () => {
    const repository = repositoryWith({ 'a/b/c.txt': 'x\n', top: 'x\n' });
    const snapshot = await snapshotOf(join(repository, 'a', 'b'));
    expect(snapshot.repository).toBe(repository);
    expect(snapshot.files).toBe(2);
  });

  test('the private folder is closed to others and holds no way back', async () => {
    const repository = repositoryWith({ a: '1\n' });
    git(repository, ['remote', 'add', 'origin', 'https://example.invalid/x']);
    git(repository, ['tag', 'v1']);
    git(repository, ['branch', 'other']);
    const snapshot = await snapshotOf(repository);
    expect((await stat(snapshot.gitDir)).mode & 0o777).toBe(0o700);
    const inside = git(snapshot.gitDir, ['for-each-ref']).toString();
    expect(inside).toBe(`${snapshot.startCommit} commit\trefs/heads/main\n`);
    expect(gitLine(snapshot.gitDir, 'log', '--format=%an <%ae> %s')).toBe(
      'Vivarium <vivarium@localhost> Start of the session',
    );
  });

  test('the same state gives the same start commit', async () => {
    const repository = repositoryWith({ a: '1\n' });
    const [one, two] = [await snapshotOf(repository), await snapshotOf(repository)];
    expect(one.startCommit).toBe(two.startCommit);
  });

  test('B11 with history the start commit follows HEAD, and only what HEAD reaches comes along', async () => {
    const repository = repositoryWith({ a: '1\n' });
    write(repository, { a: '2\n' });
    commitAll(repository, 'second');
    git(repository, ['checkout', '-q', '-b', 'future']);
    write(repository, { a: '3\n', secret: 'from the future\n' });
    commitAll(repository, 'future');
    const future = gitLine(repository, 'rev-parse', 'HEAD');
    git(repository, ['tag', 'v9']);
    git(repository, ['checkout', '-q', 'trunk']);
    write(repository, { a: 'dirty\n' });
    const snapshot = await snapshotOf(repository, true);
    const folder = await unpacked(snapshot);
    expect(gitLine(folder, 'log', '--format=%s')).toBe('Start of the session\nsecond\nfirst');
    expect(gitLine(folder, 'rev-parse', 'HEAD~1')).toBe(gitLine(repository, 'rev-parse', 'HEAD'));
    expect(gitLine(folder, 'status', '--porcelain')).toBe('');
    expect(() => git(folder, ['cat-file', '-e', future])).toThrow('Command failed');
    expect(gitLine(folder, 'tag')).toBe('');
    expect(gitLine(folder, 'fsck', '--full')).toBe('');
  });

  test('P02 a failed snapshot leaves nothing behind, and a second of one session is refused', async () => {
    const repository = repositoryWith({ a: '1\n' });
    const home = testFolder();
    const cancelled = AbortSignal.abort(new Error('stop'));
    await expect(
      takeSnapshot(repository, { home, sessionId: 's1', signal: cancelled }),
    ).rejects.toThrow('stop');
    expect(await listSnapshots(home)).toEqual([]);
    await takeSnapshot(repository, { home, sessionId: 's1' });
    await expect(takeSnapshot(repository, { home, sessionId: 's1' })).rejects.toThrow(
      "can't be written",
    );
    expect(await readdir(join(home, 'snapshots'))).toEqual(['s1.git']);
  });

  test('snapshots are listed, opened and removed', async () => {
    const repository = repositoryWith({ a: '1\n' });
    const home = testFolder();
    const snapshot = await takeSnapshot(repository, { home, sessionId: 's1' });
    mkdirSync(join(home, 'snapshots', '.s2.0123.tmp'));
    const listed = await listSnapshots(home);
    expect(new Set(listed.map(({ sessionId }) => sessionId))).toEqual(new Set(['s1', undefined]));
    expect(await openSnapshot(home, 's1')).toEqual(snapshot);
    await removeSnapshot(home, 's1');
    await removeSnapshot(home, 's1');
    expect(await openSnapshot(home, 's1')).toBeUndefined();
    await expect(removeSnapshot(home, '../../x')).rejects.toThrow('plain name');
  });
});

describe('W04 unusual repositories', () => {
  test('a linked worktree, where .git is a file', async () => {
    const repository = repositoryWith({ a: '1\n' });
    const linked = join(testFolder(), 'linked tree');
    git(repository, ['worktree', 'add', '-q', '-b', 'side', linked]);
    write(linked, { a: '2\n', b: 'new\n' });
    const before = fingerprint(repository);
    const snapshot = await snapshotOf(linked);
    expect(snapshot.repository).toBe(linked);
    expect(filesOf(await unpacked(snapshot))).toEqual({ a: '100644 2\n', b: '100644 new\n' });
    expect(fingerprint(repository)).toEqual(before);
  });

  test('a shallow clone, with and without history', async () => {
    const origin = repositoryWith({ a: '1\n' });
    for (const content of ['2\n', '3\n']) {
      write(origin, { a: content });
      commitAll(origin, content);
    }
    const clone = join(testFolder(), 'clone');
    git(origin, ['clone', '-q', '--depth', '2', `file://${origin}`, clone]);
    const plain = await unpacked(await snapshotOf(clone));
    expect(gitLine(plain, 'log', '--format=%s')).toBe('Start of the session');
    const withHistory = await unpacked(await snapshotOf(clone, true));
    expect(gitLine(withHistory, 'rev-list', '--count', 'HEAD')).toBe('3');
    expect(gitLine(withHistory, 'status', '--porcelain')).toBe('');
  });

  test('a partial clone: what is not here is named, and the history is refused with the reason', async () => {
    const origin = repositoryWith({ a: '1\n', 'out/b': '1\n' });
    git(origin, ['config', 'uploadpack.allowFilter', 'true']);
    write(origin, { a: '2\n' });
    commitAll(origin, 'second');
    const clone = join(testFolder(), 'clone');
    const options = ['--filter=blob:none', '--sparse', `file://${origin}`, clone];
    git(origin, ['clone', '-q', ...options]);
    const before = fingerprint(clone);
    const { notCarried } = await snapshotOf(clone);
    expect(notCarried).toEqual([
      { path: 'out/b', reason: 'not checked out, and its content is not on this machine' },
    ]);
    await expect(snapshotOf(clone, true)).rejects.toMatchObject({
      code: 'repo_unreadable',
      next: 'Start without the history, or fetch what is missing with `git fetch --refetch`.',
    });
    expect(fingerprint(clone)).toEqual(before);
  });

  test('a home inside the repository does not end up in the snapshot', async () => {
    const repository = repositoryWith({ a: '1\n' });
    const home = join(repository, 'data');
    write(home, { 'store.db': 'x\n' });
    const { notCarried, files } = await takeSnapshot(repository, { home, sessionId: 's1' });
    expect(files).toBe(1);
    expect(notCarried).toEqual([{ path: 'data/', reason: 'data of Vivarium' }]);
  });

  test('P03 submodules and nested repositories are named and stay out', async () => {
    const inner = repositoryWith({ 'lib.txt': 'x\n' });
    const repository = repositoryWith({ a: '1\n' });
    git(repository, [
      '-c',
      'protocol.file.allow=always',
      'submodule',
      '--quiet',
      'add',
      inner,
      'deps/sub',
    ]);
    commitAll(repository, 'with submodule');
    repositoryWith({ n: '1\n' }, join(repository, 'nested'));
    const snapshot = await snapshotOf(repository);
    expect(snapshot.notCarried).toEqual([
      { path: 'deps/sub', reason: 'submodule; its files are not copied' },
      { path: 'nested/', reason: 'a git repository of its own; its files are not copied' },
    ]);
    const folder = await unpacked(snapshot);
    expect(Object.keys(filesOf(folder)).toSorted()).toEqual(['.gitmodules', 'a']);
    expect(gitLine(folder, 'status', '--porcelain')).toBe('');
  });

  test('a path with blanks, quotes, colons and a newline', async () => {
    const folder = join(testFolder(), 'a "b" c\'s: $(x)\n\\d');
    const repository = repositoryWith({ a: '1\n' }, folder);
    const home = join(testFolder(), 'ho:me "x"');
    const snapshot = await takeSnapshot(repository, { home, sessionId: 's1', history: true });
    expect(snapshot.repository).toBe(folder);
    expect(filesOf(await unpacked(snapshot))).toEqual({ a: '100644 1\n' });
  });

  test('names in Latin-1 are named and stay out, the rest is carried', async () => {
    const repository = repositoryWith({ good: '1\n' });
    const root = Buffer.from(`${repository}/`);
    writeFileSync(Buffer.concat([root, Buffer.from('b\xe4d.txt', 'latin1')]), 'x\n');
    commitAll(repository, 'latin1 name');
    writeFileSync(Buffer.concat([root, Buffer.from('new-b\xe4d.txt', 'latin1')]), 'x\n');
    const snapshot = await snapshotOf(repository);
    expect(snapshot.notCarried).toEqual([
      { path: 'b\ufffdd.txt', reason: 'name is not UTF-8' },
      { path: 'new-b\ufffdd.txt', reason: 'name is not UTF-8' },
    ]);
    expect(snapshot.files).toBe(1);
    expect(snapshot.dirty).toEqual({ modified: 0, untracked: 0 });
  });

  test('a sparse checkout is whole in the snapshot', async () => {
    const repository = repositoryWith({ 'in/a': '1\n', 'out/b': '2\n', 'out/run': { run: '3\n' } });
    git(repository, ['sparse-checkout', 'set', 'in']);
    const snapshot = await snapshotOf(repository);
    expect(snapshot.tree).toBe(gitLine(repository, 'rev-parse', 'HEAD^{tree}'));
    expect(snapshot.dirty).toEqual({ modified: 0, untracked: 0 });
  });

  test('an unsettled merge: the file as it lies there, once', async () => {
    const repository = repositoryWith({ a: '1\n' });
    git(repository, ['checkout', '-q', '-b', 'other']);
    write(repository, { a: 'other\n' });
    commitAll(repository, 'other');
    git(repository, ['checkout', '-q', 'trunk']);
    write(repository, { a: 'mine\n' });
    commitAll(repository, 'mine');
    expect(() => git(repository, ['merge', 'other'])).toThrow('Command failed');
    const snapshot = await snapshotOf(repository);
    expect(snapshot.files).toBe(1);
    expect(filesOf(await unpacked(snapshot)).a).toContain('<<<<<<< HEAD');
  });

  test('a SHA-256 repository', async () => {
    const repository = join(testFolder(), 'sha256');
    mkdirSync(repository);
    git(repository, ['init', '-q', '--object-format=sha256']);
    write(repository, { a: '1\n' });
    commitAll(repository, 'first');
    const snapshot = await snapshotOf(repository, true);
    expect(snapshot.tree).toBe(gitLine(repository, 'rev-parse', 'HEAD^{tree}'));
    expect(gitLine(await unpacked(snapshot), 'status', '--porcelain')).toBe('');
  });

  test('line ends that git turned around at checkout are no change', async () => {
    const repository = repositoryWith({
      '.gitattributes': '*.txt text eol=crlf\n',
      'a.txt': 'a\nb\n',
    });
    rmSync(join(repository, 'a.txt'));
    git(repository, ['checkout', '-q', '--', 'a.txt']);
    const snapshot = await snapshotOf(repository);
    expect(snapshot.dirty).toEqual({ modified: 0, untracked: 0 });
    const folder = await unpacked(snapshot);
    expect(filesOf(folder)['a.txt']).toBe('100644 a\r\nb\r\n');
    expect(gitLine(folder, 'status', '--porcelain')).toBe('');
  });

  test('a folder that became a link is not walked', async () => {
    const repository = repositoryWith({ 'd/secret': 'mine\n', a: '1\n' });
    const outside = testFolder();
    writeFileSync(join(outside, 'secret'), 'not yours\n');
    renameSync(join(repository, 'd'), join(testFolder(), 'd'));
    symlinkSync(outside, join(repository, 'd'));
    const files = filesOf(await unpacked(await snapshotOf(repository)));
    expect(files).toEqual({ a: '100644 1\n', d: `120000 ${outside}` });
  });

  test('execute bits that the file system cannot hold come from the index', async () => {
    const repository = repositoryWith({ run: { run: 'x\n' }, plain: 'x\n' });
    git(repository, ['config', 'core.fileMode', 'false']);
    write(repository, { run: 'x\n', plain: { run: 'x\n' } });
    const snapshot = await snapshotOf(repository);
    expect(snapshot.tree).toBe(gitLine(repository, 'rev-parse', 'HEAD^{tree}'));
  });

  test('a file above the size that is held in memory', async () => {
    const big = Buffer.alloc(9 * 1024 * 1024, 'abcdefg\n');
    const repository = repositoryWith({ 'big.bin': big });
    const snapshot = await snapshotOf(repository);
    expect(snapshot.tree).toBe(gitLine(repository, 'rev-parse', 'HEAD^{tree}'));
    expect(snapshot.bytes).toBe(big.length);
  });
});
