import { isTestFile } from '../../fix/index.ts';
import { VivariumError } from '../../lib/index.ts';
import { firstParents, readCommit, type ReadCommit } from '../../patch/index.ts';
import { changedPaths, collectFiles } from '../../evaluation/index.ts';
import { firstDifference } from '../first-difference.ts';
import type { Candidate, FileChange, GeneratorContext } from '../types.ts';

const MAX_COMMITS = 1000;
/** Larger commits are no single fix. */
const MAX_CHANGED = 30;
const CODE = /\.(py|js|mjs|cjs|jsx|ts|mts|cts|tsx|go)$/;

/**
 * Commits on the way of first parents, newest first, that change code and tests: all but their tests
 * is undone, and their tests are laid over both trees.
 */
export async function* history({ tree, signal }: GeneratorContext): AsyncGenerator<Candidate> {
  const { repository } = tree;
  for (const commit of await firstParents(repository, tree.commit, MAX_COMMITS, signal)) {
    signal.throwIfAborted();
    const candidate = await candidateOf(repository, commit, signal);
    if (candidate !== undefined) yield candidate;
  }
}

async function candidateOf(
  repository: string,
  commit: string,
  signal: AbortSignal,
): Promise<Candidate | undefined> {
  try {
    return await readCommit(repository, commit, (read) => undoneBy(read, repository), signal);
  } catch (error) {
    // A commit that cannot be read whole (a shallow clone's last one) is no candidate.
    if (signal.aborted || !(error instanceof VivariumError)) throw error;
    return undefined;
  }
}

async function undoneBy(read: ReadCommit, repository: string): Promise<Candidate | undefined> {
  const changed = changedPaths(read);
  const tests = changed.filter(isTestFile);
  const code = changed.filter((path) => CODE.test(path) && !isTestFile(path));
  if (tests.length === 0 || code.length === 0 || changed.length > MAX_CHANGED) return undefined;
  const wanted = new Set(changed);
  const before = await collectFiles(
    read,
    read.before.filter(({ path }) => wanted.has(path)),
  );
  const files = await collectFiles(read, read.after);
  const laid = tests.flatMap((path) => files.get(path) ?? []);
  if (laid.length === 0) return undefined;
  const changes: FileChange[] = changed
    .map((path) => ({ path, before: files.get(path) ?? null, after: before.get(path) ?? null }))
    // A test that the commit took away says nothing of what it fixed.
    .filter(({ path, before: good }) => good !== null || !isTestFile(path));
  return {
    generator: 'history',
    method: 'undo_commit',
    bugClass: 'logic',
    base: { repository, commit: read.commit, files },
    changes,
    places: changes.filter(({ path }) => code.includes(path)).map(placeOf),
    tests: Object.fromEntries(laid.map(({ path, content }) => [path, content])),
    provenance: { undone_commit: read.commit, subject: read.subject },
  };
}

/** The first line that differs, in the good tree. */
function placeOf({ path, before, after }: FileChange): Candidate['places'][number] {
  return { path, line: Math.max(firstDifference(before, after), 0) + 1, symbol: null };
}
