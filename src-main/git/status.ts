import { splitNul } from './records.ts';
import { runGit } from './run.ts';
import type { GitOptions } from './run.ts';

/** How many paths differ from HEAD, and how many files are neither tracked nor ignored. */
export async function statusCounts(
  options: GitOptions,
): Promise<{ modified: number; untracked: number }> {
  const { stdout } = await runGit(
    [
      ...['status', '--porcelain=v1', '-z', '--no-renames'],
      ...['--untracked-files=all', '--ignore-submodules=all'],
    ],
    options,
  );
  const counts = { modified: 0, untracked: 0 };
  for (const record of splitNul(stdout)) {
    if (record.subarray(0, 2).toString('latin1') === '??') counts.untracked += 1;
    else counts.modified += 1;
  }
  return counts;
}
