import { join } from 'node:path';
import {
  applyToIndex,
  diffRaw,
  formatOf,
  objectContents,
  readTree,
  writeTree,
} from '../git/index.ts';
import type { GitOptions, TreeDifference } from '../git/index.ts';
import { VivariumError } from '../lib/index.ts';
import { withScratch } from './scratch.ts';
import type { Change, Snapshot } from './types.ts';

/**
 * What a patch does to the snapshot, read back from its bytes: for `seedEntriesAt`, so that a check
 * of a patch checks exactly what is exported. Throws `patch_invalid` when it does not apply.
 */
export async function changesOfPatch(
  snapshot: Snapshot,
  patch: Uint8Array,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<Change[]> {
  if (patch.length === 0) return [];
  const scope = {
    parent: snapshot.gitDir,
    format: formatOf(snapshot.startCommit),
    alternates: [join(snapshot.gitDir, 'objects')],
    signal: options.signal,
  };
  return withScratch(scope, async (scratch) => {
    const place = { ...scratch.git, indexFile: scratch.indexFile() };
    await readTree(snapshot.tree, place);
    const refusal = await applyToIndex(patch, place);
    if (refusal !== undefined) {
      throw new VivariumError(
        'patch_invalid',
        `The patch does not apply to its snapshot: ${refusal.split('\n')[0] ?? ''}`,
        'Export the patch again with `vivarium export`.',
      );
    }
    return changesBetween(snapshot.tree, await writeTree(place), scratch.git);
  });
}

async function changesBetween(from: string, to: string, git: GitOptions): Promise<Change[]> {
  const differences: TreeDifference[] = [];
  for await (const difference of diffRaw(from, to, git)) differences.push(difference);
  const written = differences.filter(({ status }) => status !== 'D');
  const contents = objectContents(
    written.map(({ newId }) => newId),
    git,
  );
  const changes: Change[] = differences
    .filter(({ status }) => status === 'D')
    .map(({ path }) => ({ path: path.toString('utf8'), kind: 'deleted' }));
  for (const { path, newMode } of written) {
    const next = await contents.next();
    if (next.done === true || next.value === undefined) throw new Error('an object is missing');
    changes.push(changeOf(path.toString('utf8'), newMode, next.value));
  }
  return changes;
}

function changeOf(path: string, mode: string, content: Uint8Array): Change {
  if (mode === '120000') return { path, kind: 'symlink', content };
  return { path, kind: 'file', executable: mode === '100755', content };
}
