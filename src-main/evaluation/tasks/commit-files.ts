import type { CommitFile, ReadCommit } from '../../patch/index.ts';
import type { TreeFile } from './types.ts';

/** Paths of files that a commit added, changed or took away, in order. */
export function changedPaths({ before, after }: ReadCommit): string[] {
  const state = ({ id, mode }: CommitFile) => `${mode} ${id}`;
  const was = new Map(before.map((file) => [file.path, state(file)]));
  const is = new Map(after.map((file) => [file.path, state(file)]));
  const all = new Set([...was.keys(), ...is.keys()]);
  return [...all].filter((path) => was.get(path) !== is.get(path)).toSorted();
}

/** Files of a commit with their contents, by path. */
export async function collectFiles(
  read: ReadCommit,
  files: readonly CommitFile[],
): Promise<Map<string, TreeFile>> {
  const found = new Map<string, TreeFile>();
  for await (const { path, mode, content } of read.contents(files)) {
    found.set(path, { path, mode, content });
  }
  return found;
}
