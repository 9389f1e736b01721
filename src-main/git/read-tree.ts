import { runGit } from './run.ts';
import type { GitOptions } from './run.ts';

/** Fills the index at `indexFile` with a tree; touches no working tree. */
export async function readTree(
  treeish: string,
  options: GitOptions & { indexFile: string },
): Promise<void> {
  await runGit(['read-tree', treeish], options);
}
