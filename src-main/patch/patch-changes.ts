import { join } from 'node:path';
import {
  applyToIndex,
  diffRaw,
  formatOf,
  nameOf,
  objectContents,
  readTree,
  writeTree,
} from '../git/index.ts';
import { visibleLine, VivariumError } from '../lib/index.ts';
import { withScratch } from './scratch.ts';
import type { Change, Snapshot } from './types.ts';

/**
 * What a patch makes of the snapshot, as changes with their contents; nothing is checked out. Throws
 * `patch_invalid` when it does not apply.
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
    if (refusal !== undefined) throw doesNotApply(refusal);
    const tree = await writeTree(place);
    const differences = await all(diffRaw(snapshot.tree, tree, scratch.git));
    const written = differences.filter(({ newMode }) => newMode !== GONE);
    const contents = await all(
      objectContents(
        written.map(({ newId }) => newId),
        scratch.git,
      ),
    );
    const byId = new Map(written.map(({ newId }, at) => [newId, contents[at]]));
    return differences.map((difference) => changeOf(difference, byId));
  });
}

const GONE = '000000';

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

function changeOf(
  { path: bytes, newMode, newId }: { path: Buffer; newMode: string; newId: string },
  contents: ReadonlyMap<string, Uint8Array | undefined>,
): Change {
  const path = nameOf(bytes);
  if (path === undefined) throw doesNotApply('a name is not UTF-8');
  if (newMode === GONE) return { path, kind: 'deleted' };
  const content = contents.get(newId);
  if (content === undefined) throw doesNotApply(`${path} is not there as a file`);
  if (newMode === '120000') return { path, kind: 'symlink', content };
  return { path, kind: 'file', executable: newMode === '100755', content };
}

function doesNotApply(said: string): VivariumError {
  return new VivariumError(
    'patch_invalid',
    `the patch does not apply to the snapshot: ${visibleLine(said.slice(0, 400))}`,
    'Load the review again, or start a new fix.',
  );
}
