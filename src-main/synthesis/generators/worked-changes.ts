import { isTestFile } from '../../fix/index.ts';
import type { FileChange, SourceTree } from '../types.ts';

/**
 * What a model left behind as changes of the good tree: files of tests aside, and those that are as
 * before.
 */
export function workedChanges(tree: SourceTree, left: readonly FileChange[]): FileChange[] {
  return left.flatMap(({ path, after }) => {
    const before = tree.files.get(path) ?? null;
    return isTestFile(path) || isSame(before, after) ? [] : [{ path, before, after }];
  });
}

function isSame(one: FileChange['before'], other: FileChange['before']): boolean {
  if (one === null || other === null) return one === other;
  return one.mode === other.mode && Buffer.compare(one.content, other.content) === 0;
}
