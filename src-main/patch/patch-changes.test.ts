import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  changesOfPatch,
  copySnapshot,
  makePatch,
  openSnapshot,
  removeSnapshot,
  seedEntries,
  takeSnapshot,
} from './index.ts';
import type { Change } from './index.ts';
import { snapshotWith } from './testing/patches.ts';
import { filesOf, repositoryWith, testFolder, unpack } from './testing/repositories.ts';

function file(path: string, content: string | Uint8Array, executable = false): Change {
  return { path, kind: 'file', executable, content: Buffer.from(content) };
}

function plain(changes: readonly Change[]): unknown[] {
  return changes.map((change) =>
    change.kind === 'deleted'
      ? change
      : { ...change, content: Buffer.from(change.content).toString('latin1') },
  );
}

test('a patch gives back the changes it was made of: every kind', async () => {
  const changes: Change[] = [
    { path: 'becomes-folder', kind: 'deleted' },
    file('becomes-folder/x', 'x\n'),
    { path: 'becomes-link', kind: 'symlink', content: Buffer.from('../else where') },
    file('blob', Buffer.from([0, 255, 13, 10])),
    { path: 'gone', kind: 'deleted' },
    file('new "name"\n', ''),
    file('run', 'x\n', true),
    file('text', 'a\r\nb\r\n\xff'),
  ];
  const snapshot = await snapshotWith({
    'becomes-folder': 'f\n',
    'becomes-link': 'f\n',
    blob: Buffer.from([0]),
    gone: 'g\n',
    run: 'x\n',
    same: 's\n',
    text: 'a\r\n',
  });
  const { bytes, sha256 } = await makePatch(snapshot, changes);
  const found = await changesOfPatch(snapshot, bytes);
  expect(plain(found)).toEqual(plain(changes));
  expect((await makePatch(snapshot, found)).sha256).toBe(sha256);
  expect(readdirSync(snapshot.gitDir).filter((name) => name.startsWith('scratch'))).toEqual([]);
});

test('an empty patch is no change; one that does not apply is refused', async () => {
  const snapshot = await snapshotWith({ a: 'a\n' });
  expect(await changesOfPatch(snapshot, new Uint8Array())).toEqual([]);
  const other = await snapshotWith({ a: 'b\n' });
  const { bytes } = await makePatch(other, [file('a', 'c\n')]);
  await expect(changesOfPatch(snapshot, bytes)).rejects.toMatchObject({
    code: 'patch_invalid',
    message: expect.stringMatching(/^the patch does not apply to the snapshot: /) as string,
  });
});

test('a copied snapshot is the same and outlives the one it was copied from', async () => {
  const home = testFolder();
  const from = await takeSnapshot(repositoryWith({ a: 'a\n', 'b/c': 'c\n' }), {
    home,
    sessionId: 's1',
  });
  mkdirSync(join(from.gitDir, 'scratch-0'));
  const copy = await copySnapshot(home, 's1', 's2');
  if (copy === undefined) throw new Error('no copy was made');
  expect(copy).toEqual({ ...from, gitDir: from.gitDir.replace('s1.git', 's2.git') });
  await removeSnapshot(home, 's1');
  expect(await openSnapshot(home, 's2')).toEqual(copy);
  expect(existsSync(join(copy.gitDir, 'scratch-0'))).toBe(false);
  const folder = testFolder();
  await unpack(seedEntries(copy), folder);
  expect(filesOf(folder)).toEqual({ a: '100644 a\n', 'b/c': '100644 c\n' });
  expect(await copySnapshot(home, 's1', 's3')).toBeUndefined();
  expect(readdirSync(join(home, 'snapshots'))).toEqual(['s2.git']);
});
