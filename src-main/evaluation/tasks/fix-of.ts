import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makePatch, snapshotOfTree, type Change } from '../../patch/index.ts';
import type { TreeFile } from './types.ts';

/** The patch that makes the changed files of a tree what they are after a fix. Throws as `makePatch`. */
export async function fixOf(
  tree: Iterable<TreeFile>,
  changes: readonly Change[],
): Promise<Uint8Array> {
  const home = await mkdtemp(path.join(tmpdir(), 'vivarium-fix-'));
  try {
    const snapshot = await snapshotOfTree(tree, { home, id: 'fix', source: '/task' });
    const { bytes } = await makePatch(snapshot, changes, { include: ['**'] });
    return bytes;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** What makes a file of the tree before that of the tree after; `undefined` where nothing does. */
export function changeOf(
  before: TreeFile | undefined,
  after: TreeFile | undefined,
): Change | undefined {
  if (after === undefined) {
    return before === undefined ? undefined : { path: before.path, kind: 'deleted' };
  }
  const { path: name, mode, content } = after;
  const same = before?.mode === mode && Buffer.compare(before.content, content) === 0;
  if (same) return undefined;
  if (mode === '120000') return { path: name, kind: 'symlink', content };
  return { path: name, kind: 'file', executable: mode === '100755', content };
}
