import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listSnapshots } from '../../patch/index.ts';
import type { SeedEntry } from '../../workspaces/index.ts';
import { createTaskSnapshots, reapTaskSnapshots, taskSnapshotId } from './task-snapshots.ts';
import { taskNamed } from './testing.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'vivarium-snapshots-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

let read = 0;
async function* tree(): AsyncGenerator<SeedEntry> {
  read += 1;
  yield { path: 'a.txt', mode: '100644', content: Buffer.from('a') };
  yield { path: 'fix.patch', mode: '100644', content: Buffer.from('the answer') };
}

const parts = () => ({ home, imageTree: tree, signal: new AbortController().signal });
const ids = async () => (await listSnapshots(home)).map(({ sessionId }) => sessionId);

test('a snapshot is made once, shared, and goes with the last cell; the answer is not in it', async () => {
  read = 0;
  const task = taskNamed('a.b', {
    tree: { kind: 'image' },
    metadata: { vivarium: { hide: ['/workspace/fix.patch'] } },
  });
  const snapshots = createTaskSnapshots('r1', parts());
  snapshots.expect(task);
  snapshots.expect(task);
  const [one, two] = await Promise.all([snapshots.take(task, 'i'), snapshots.take(task, 'i')]);
  expect([one, read, one.files]).toEqual([two, 1, 1]);
  expect(await ids()).toEqual([taskSnapshotId('r1', 'a.b')]);
  await snapshots.release(task);
  expect(await ids()).toHaveLength(1);
  await snapshots.release(task);
  expect(await ids()).toEqual([]);
});

test('what failed once is tried again by the next cell, and the end removes the rest', async () => {
  let fails = true;
  async function* broken(): AsyncGenerator<SeedEntry> {
    if (fails) throw new Error('the disk stuttered');
    yield* tree();
  }
  const task = taskNamed('a', { tree: { kind: 'image' } });
  const snapshots = createTaskSnapshots('r1', { ...parts(), imageTree: broken });
  await expect(snapshots.take(task, 'i')).rejects.toThrow('the disk stuttered');
  fails = false;
  expect((await snapshots.take(task, 'i')).files).toBe(2);
  await snapshots.dispose();
  expect(await ids()).toEqual([]);
});

test('what killed runs left is removed, and nothing else', async () => {
  const task = taskNamed('a', { tree: { kind: 'image' } });
  for (const runId of ['dead', 'alive']) await createTaskSnapshots(runId, parts()).take(task, 'i');
  expect(await reapTaskSnapshots(home, (runId) => runId === 'alive')).toBe(1);
  expect(await ids()).toEqual([taskSnapshotId('alive', 'a')]);
});
