import { nulRecords } from './records.ts';
import { streamGit } from './run.ts';
import type { GitOptions } from './run.ts';

/** One file, symlink or submodule of a tree. */
export interface TreeFile {
  mode: string;
  id: string;
  path: Buffer;
}

/** All files below a tree or commit, in the tree's order. */
export async function* treeFiles(
  treeish: string,
  options: GitOptions,
): AsyncGenerator<TreeFile, void, undefined> {
  const output = streamGit(['ls-tree', '-r', '-z', '--full-tree', treeish], options);
  for await (const record of nulRecords(output)) {
    const tab = record.indexOf(9);
    const [mode, , id] = record.subarray(0, tab).toString('latin1').split(' ');
    if (tab === -1 || mode === undefined || id === undefined) {
      throw new Error('unexpected output of git ls-tree');
    }
    yield { mode, id, path: Buffer.from(record.subarray(tab + 1)) };
  }
}
