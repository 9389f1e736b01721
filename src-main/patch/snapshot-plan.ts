import { indexEntries, nameOf, treeFiles, untrackedPaths } from '../git/index.ts';
import type { GitOptions } from '../git/index.ts';
import { pathProblem } from './path-check.ts';
import type { LeftOut } from './types.ts';

/** One path to look at for the snapshot. */
export interface PlannedFile {
  path: string;
  /** Mode in the index; `undefined` for an untracked file. */
  indexMode: string | undefined;
  /** Blob to take when a sparse checkout left the file out of the working tree. */
  sparseId: string | undefined;
}

export interface SnapshotPlan {
  files: PlannedFile[];
  notCarried: LeftOut[];
}

/** Start of the reason by which a submodule is told from other paths that were not carried. */
export const SUBMODULE = 'submodule';

/**
 * What the user sees in the working tree, as git's index and ignore rules tell it, without what lies
 * in `ownFolder` (our data, when the home is inside the repository).
 */
export async function planSnapshot(reader: GitOptions, ownFolder?: string): Promise<SnapshotPlan> {
  const plan: SnapshotPlan = { files: [], notCarried: [] };
  await planTracked(plan, reader);
  await planUntracked(plan, reader, ownFolder === undefined ? undefined : `${ownFolder}/`);
  return plan;
}

async function planTracked(plan: SnapshotPlan, reader: GitOptions): Promise<void> {
  let last: string | undefined;
  for await (const entry of indexEntries(reader)) {
    const path = carriedName(entry.path, plan.notCarried);
    // The stages of one path follow each other while a merge is not settled.
    if (path === undefined || path === last) continue;
    last = path;
    if (entry.mode === '160000') {
      plan.notCarried.push({ path, reason: `${SUBMODULE}; its files are not copied` });
      continue;
    }
    const sparseId = entry.skipWorktree ? entry.id : undefined;
    plan.files.push({ path, indexMode: entry.mode, sparseId });
  }
}

async function planUntracked(
  plan: SnapshotPlan,
  reader: GitOptions,
  own: string | undefined,
): Promise<void> {
  const { paths, unreadable } = await untrackedPaths(reader);
  let ownFiles = 0;
  for (const bytes of paths) {
    if (own !== undefined && bytes.toString('utf8').startsWith(own)) {
      ownFiles += 1;
      continue;
    }
    if (bytes.at(-1) === 0x2f) {
      const path = Buffer.from(bytes).toString('utf8');
      plan.notCarried.push({
        path,
        reason: 'a git repository of its own; its files are not copied',
      });
      continue;
    }
    const path = carriedName(bytes, plan.notCarried);
    if (path !== undefined) plan.files.push({ path, indexMode: undefined, sparseId: undefined });
  }
  if (own !== undefined && ownFiles > 0) {
    plan.notCarried.push({ path: own, reason: 'data of Vivarium' });
  }
  for (const path of unreadable) plan.notCarried.push({ path, reason: 'no permission to read' });
}

function carriedName(bytes: Buffer, notCarried: LeftOut[]): string | undefined {
  const path = nameOf(bytes);
  const reason = path === undefined ? 'name is not UTF-8' : pathProblem(path);
  if (reason === undefined) return path;
  const shown = bytes.toString('utf8');
  if (notCarried.at(-1)?.path !== shown) notCarried.push({ path: shown, reason });
  return undefined;
}

/** Paths of HEAD that a snapshot could hold, with their modes and ids. */
export async function headFiles(
  head: string,
  reader: GitOptions,
): Promise<Map<string, { mode: string; id: string }>> {
  const files = new Map<string, { mode: string; id: string }>();
  for await (const { mode, id, path: bytes } of treeFiles(head, reader)) {
    const path = nameOf(bytes);
    if (path === undefined || mode === '160000' || pathProblem(path) !== undefined) continue;
    files.set(path, { mode, id });
  }
  return files;
}
