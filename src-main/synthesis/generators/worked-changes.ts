import { isTestFile } from '../../fix/index.ts';
import type { Candidate, FileChange, SourceTree } from '../types.ts';

/** Attempts in a row that led to nothing, before their generator is given up. */
const MOST_IN_VAIN = 10;

/** Does costly jobs one after the other, until too many in a row lead to nothing. */
export async function* fruitful(
  jobs: Iterable<() => Promise<Candidate>>,
  signal: AbortSignal,
): AsyncGenerator<Candidate> {
  let inVain = 0;
  for (const job of jobs) {
    signal.throwIfAborted();
    const candidate = await job();
    yield candidate;
    inVain = candidate.changes.length === 0 ? inVain + 1 : 0;
    if (inVain >= MOST_IN_VAIN) return;
  }
}

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
