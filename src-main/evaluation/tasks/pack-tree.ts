import { TAR_END, tarEntry } from '../../lib/index.ts';
import { taskInvalid } from './invalid.ts';
import { treeProblem } from './tree-path.ts';
import type { TreeFile } from './types.ts';

/** The same tree gives the same bytes: one owner (the workspace's user), one time (2000-01-01). */
const STAMP = { owner: 1000, seconds: 946_684_800 };
const NOTHING = new Uint8Array();

/**
 * An uncompressed tar of a tree, deterministic: files sorted by name, folders before what they hold.
 *
 * @throws VivariumError `task_invalid` for a name that may not be, or that comes twice
 */
export async function packTree(
  tree: AsyncIterable<TreeFile> | Iterable<TreeFile>,
): Promise<Buffer> {
  const files = new Map<string, TreeFile>();
  for await (const file of tree) {
    const problem =
      treeProblem(file) ?? (files.has(file.path) ? 'the name comes twice' : undefined);
    if (problem !== undefined) throw refused(file.path, problem);
    files.set(file.path, file);
  }
  if (files.size === 0)
    throw taskInvalid('the tree has no file', 'Check what the task is made of.');
  const folders = new Set<string>();
  const blocks: Buffer[] = [];
  for (const file of [...files.values()].sort(byPath)) {
    for (const folder of foldersAbove(file.path)) {
      if (files.has(folder)) throw refused(folder, 'it is both a file and a folder');
      if (folders.has(folder)) continue;
      folders.add(folder);
      blocks.push(...tarEntry({ path: folder, mode: '40000', content: NOTHING }, STAMP));
    }
    blocks.push(...tarEntry(file, STAMP));
  }
  return Buffer.concat([...blocks, TAR_END]);
}

function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

function byPath(a: TreeFile, b: TreeFile): number {
  return Buffer.compare(Buffer.from(a.path), Buffer.from(b.path));
}

function refused(path: string, problem: string): Error {
  return taskInvalid(
    `the tree cannot be packed: ${JSON.stringify(path)}: ${problem}`,
    'Rename or leave out that file.',
  );
}
