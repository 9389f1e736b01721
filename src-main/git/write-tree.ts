import { runGit } from './run.ts';
import type { GitOptions } from './run.ts';

/** Writes the index at `indexFile` as a tree; its id. */
export async function writeTree(options: GitOptions & { indexFile: string }): Promise<string> {
  const { stdout } = await runGit(['write-tree'], options);
  return stdout.toString('latin1').trim();
}
