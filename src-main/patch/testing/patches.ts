import { makePatch, seedEntries, takeSnapshot } from '../index.ts';
import type { Change, MakePatchOptions, Patch, Snapshot } from '../index.ts';
import { filesOf, git, repositoryWith, testFolder, unpack } from './repositories.ts';
import type { Content } from './repositories.ts';

/** The snapshot of a repository with these files. */
export async function snapshotWith(files: Readonly<Record<string, Content>>): Promise<Snapshot> {
  return takeSnapshot(repositoryWith(files), { home: testFolder(), sessionId: 's1' });
}

/** The patch of some changes to a repository with these files. */
export async function patchOf(
  files: Readonly<Record<string, Content>>,
  changes: Change[],
  options?: MakePatchOptions,
): Promise<Patch> {
  return makePatch(await snapshotWith(files), changes, options);
}

export function pathsOf(patch: Patch): string[] {
  return patch.files.map(({ path }) => path);
}

/** Applies a patch with git as a user would, to a checkout of the snapshot; the files then. */
export async function applied(snapshot: Snapshot, patch: Patch): Promise<Record<string, string>> {
  const folder = testFolder();
  await unpack(seedEntries(snapshot), folder);
  git(folder, ['apply', '--check', '-'], patch.bytes);
  git(folder, ['apply', '-'], patch.bytes);
  return filesOf(folder);
}
