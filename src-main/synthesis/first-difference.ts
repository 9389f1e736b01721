import type { TreeFile } from '../evaluation/index.ts';

/** Which line of a file, from 0 on, is the first that another has not there; -1 = none is. */
export function firstDifference(file: TreeFile | null, other: TreeFile | null): number {
  const lines = linesOf(other);
  return linesOf(file).findIndex((line, at) => line !== lines[at]);
}

export function linesOf(file: TreeFile | null): string[] {
  return Buffer.from(file?.content ?? [])
    .toString('utf8')
    .split('\n');
}
