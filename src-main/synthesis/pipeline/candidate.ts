import { basename } from 'node:path';
import { changeOf, fixOf, type TreeFile } from '../../evaluation/index.ts';
import { sha256 } from '../../lib/index.ts';
import type { Candidate, FileChange, SourceTree } from '../types.ts';

/** sha256 over the changed bytes: two candidates with the same one are the same bug. */
export function idOf(candidate: Candidate): string {
  if (candidate.changes.length === 0) return sha256(candidate.origin ?? '');
  const parts = candidate.changes
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, before, after }) => [path, digest(before), digest(after)]);
  return sha256(Buffer.from(JSON.stringify(parts)));
}

function digest(file: TreeFile | null): string | null {
  return file === null ? null : `${file.mode} ${sha256(file.content)}`;
}

/** The tree with the bug. */
export function withBug(tree: SourceTree, candidate: Candidate): Map<string, TreeFile> {
  const files = new Map((candidate.base ?? tree).files);
  for (const { path, after } of candidate.changes) {
    if (after === null) files.delete(path);
    else files.set(path, after);
  }
  return files;
}

/** The bug as a patch over the good tree. */
export function bugPatch(candidate: Candidate): Promise<Uint8Array> {
  return patchOf(candidate.changes);
}

/** The fix as a patch over the tree with the bug; files of the tests are laid at grading. */
export function fixPatch(candidate: Candidate): Promise<Uint8Array> {
  const undone = candidate.changes
    .filter(({ path }) => !(path in candidate.tests))
    .map(({ path, before, after }) => ({ path, before: after, after: before }));
  return patchOf(undone);
}

// Of the tree only what changes counts: a patch says nothing of the rest.
function patchOf(changes: readonly FileChange[]): Promise<Uint8Array> {
  const tree = changes.flatMap(({ before }) => (before === null ? [] : [before]));
  const made = changes.flatMap(
    ({ before, after }) => changeOf(before ?? undefined, after ?? undefined) ?? [],
  );
  return fixOf(tree, made);
}

/** `REPOSITORY-METHOD-SYMBOL-ID` in characters that a task's name may have. */
export function taskName(repository: string, candidate: Candidate, id: string): string {
  const place = candidate.places[0];
  const symbol = place?.symbol ?? basename(place?.path ?? '').replace(/\.[^.]*$/, '');
  const words = [basename(repository), candidate.method, symbol].map((word) =>
    word
      .replace(/[^A-Za-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 40),
  );
  return [...words.filter((word) => word !== ''), id.slice(0, 8)].join('-').toLowerCase();
}
