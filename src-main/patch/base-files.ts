import { treeFiles } from '../git/index.ts';
import type { GitOptions } from '../git/index.ts';

/** What the snapshot holds, by path. */
export type BaseFiles = ReadonlyMap<string, { mode: string; id: string }>;

/** All files of the snapshot's tree. */
export async function baseFiles(tree: string, git: GitOptions): Promise<BaseFiles> {
  const base = new Map<string, { mode: string; id: string }>();
  for await (const { path, mode, id } of treeFiles(tree, git)) {
    base.set(path.toString('utf8'), { mode, id });
  }
  return base;
}
