import { nulRecords } from './records.ts';
import { runGit, streamGit } from './run.ts';
import type { GitOptions } from './run.ts';
import { splitNul } from './records.ts';

/** One entry of an index. */
export interface IndexEntry {
  mode: string;
  id: string;
  /** 0; 1 to 3 while a merge is not settled. */
  stage: number;
  /** Left out of the working tree by a sparse checkout. */
  skipWorktree: boolean;
  path: Buffer;
}

/** The entries of the index in its order; nothing is refreshed or written. */
export async function* indexEntries(
  options: GitOptions,
): AsyncGenerator<IndexEntry, void, undefined> {
  for await (const record of nulRecords(streamGit(['ls-files', '-z', '-t', '--stage'], options))) {
    const tab = record.indexOf(9);
    const [tag, mode, id, stage] = record.subarray(0, tab).toString('latin1').split(' ');
    if (tab === -1 || mode === undefined || id === undefined || stage === undefined) {
      throw new Error('unexpected output of git ls-files');
    }
    // The record is a view into a chunk; a copy lets the chunk go.
    const path = Buffer.from(record.subarray(tab + 1));
    yield { mode, id, stage: Number(stage), skipWorktree: tag === 'S', path };
  }
}

/** Untracked paths that no rule ignores, and the folders git could not look into. */
export async function untrackedPaths(
  options: GitOptions,
): Promise<{ paths: Buffer[]; unreadable: string[] }> {
  const { stdout, stderr } = await runGit(
    ['ls-files', '-z', '--others', '--exclude-standard'],
    options,
  );
  const unreadable = [...stderr.matchAll(/^warning: could not open directory '(.*)': /gm)].map(
    (match) => match[1] ?? '',
  );
  return { paths: splitNul(stdout), unreadable };
}
