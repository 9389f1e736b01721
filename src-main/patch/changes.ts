import { VivariumError } from '../lib/index.ts';
import { linkPathProblem, pathProblem } from './path-check.ts';
import type { Change, LeftOut } from './types.ts';

/** What a workspace tells of its tree; the shape of `TreeChanges` of the workspaces room. */
export interface ReportedTree {
  written: readonly {
    entry: { path: string; kind: 'file' | 'symlink' | 'other'; executable: boolean };
    content: Uint8Array;
  }[];
  deleted: readonly string[];
  refused: readonly LeftOut[];
}

/** The changes a workspace reports, and what of them cannot be a change, with the reason. */
export function changesOfTree(tree: ReportedTree): { changes: Change[]; leftOut: LeftOut[] } {
  const changes: Change[] = [];
  const leftOut: LeftOut[] = [...tree.refused];
  for (const { entry, content } of tree.written) {
    const { path, kind, executable } = entry;
    if (kind === 'other') leftOut.push({ path, reason: 'not a regular file' });
    else if (kind === 'symlink') changes.push({ path, kind, content });
    else changes.push({ path, kind, executable, content });
  }
  for (const path of tree.deleted) changes.push({ path, kind: 'deleted' });
  return { changes, leftOut };
}

type Deleted = { path: string; kind: 'deleted' };

/**
 * Changes of several checkpoints as one list against the snapshot: for each path the last counts. A
 * file that a later one turned into a folder, or the other way round, is gone. Works on changes with
 * their contents and on recorded ones that only name them.
 */
export function mergeChanges<T extends { path: string; kind: Change['kind'] }>(
  ...parts: readonly (readonly T[])[]
): (T | Deleted)[] {
  const merged = new Map<string, T | Deleted>();
  for (const part of parts) {
    const written = new Set(part.filter(({ kind }) => kind !== 'deleted').map(({ path }) => path));
    const folders = new Set([...written].flatMap((path) => [...foldersAbove(path)]));
    for (const [path, { kind }] of merged) {
      if (kind === 'deleted') continue;
      const below = [...foldersAbove(path)].some((folder) => written.has(folder));
      if (below || folders.has(path)) merged.set(path, { path, kind: 'deleted' });
    }
    for (const change of part) merged.set(change.path, change);
  }
  return [...merged.values()];
}

/** The folders a path lies in, innermost first. */
export function* foldersAbove(path: string): Generator<string, void, undefined> {
  for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
    yield path.slice(0, slash);
  }
}

/** Why a change may not come near git or a file system; `undefined` when it may. */
export function changeProblem(change: Change): string | undefined {
  return change.kind === 'symlink' ? linkPathProblem(change.path) : pathProblem(change.path);
}

/**
 * Changes by path. Throws `patch_invalid` for a doubled name and for a file that would lie inside
 * another file.
 */
export function changeMap(changes: readonly Change[]): Map<string, Change> {
  const byPath = new Map<string, Change>();
  for (const change of changes) {
    if (byPath.has(change.path)) throw invalid('the list of changes names a path twice');
    byPath.set(change.path, change);
  }
  for (const change of changes) {
    if (change.kind !== 'deleted') checkParents(change.path, byPath);
  }
  return byPath;
}

function checkParents(path: string, byPath: ReadonlyMap<string, Change>): void {
  for (const folder of foldersAbove(path)) {
    const parent = byPath.get(folder);
    if (parent !== undefined && parent.kind !== 'deleted') {
      throw invalid('the list of changes has a file inside another file');
    }
  }
}

function invalid(message: string): VivariumError {
  return new VivariumError(
    'patch_invalid',
    message,
    'The workspace reported an impossible tree; run the session again.',
  );
}
