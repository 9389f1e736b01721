import { createReadStream } from 'node:fs';
import { messageOf, readTar, VivariumError, type ReadTarEntry } from '../../lib/index.ts';
import { taskInvalid } from './invalid.ts';
import { treeProblem } from './tree-path.ts';
import type { TreeFile } from './types.ts';

/** A repository with a larger single file is none that a workspace could hold. */
const MAX_FILE_BYTES = 512 * 2 ** 20;

/**
 * Files and links of a tar archive, read as hostile data: every name is checked, and what is no
 * file, link or folder is refused. A leading `./` is taken off.
 *
 * @throws VivariumError `task_invalid`
 */
export async function* unpackTree(file: string): AsyncGenerator<TreeFile, void, undefined> {
  const seen = new Set<string>();
  try {
    for await (const entry of readTar(createReadStream(file), { maxFileBytes: MAX_FILE_BYTES })) {
      if (entry.kind === 'folder') continue;
      const found = treeFileOf(entry);
      const problem =
        typeof found === 'string'
          ? found
          : (treeProblem(found) ?? (seen.has(found.path) ? 'it comes twice' : undefined));
      if (typeof found === 'string' || problem !== undefined) {
        throw broken(file, `${JSON.stringify(plainPath(entry.path))}: ${problem ?? ''}`);
      }
      seen.add(found.path);
      yield found;
    }
  } catch (error) {
    if (error instanceof VivariumError) throw error;
    throw broken(file, messageOf(error), error);
  }
}

/** The file, or why it cannot be one of a tree. */
function treeFileOf(entry: ReadTarEntry): TreeFile | string {
  const path = plainPath(entry.path);
  if (entry.kind === 'symlink') return { path, mode: '120000', content: entry.link };
  if (entry.kind !== 'file') return 'it is no file, link or folder';
  if (entry.content === null) return 'it is too large';
  const mode = (entry.mode & 0o100) === 0 ? '100644' : '100755';
  return { path, mode, content: entry.content };
}

function plainPath(path: Buffer): string {
  return path.toString('utf8').replace(/^(\.\/)+/, '');
}

function broken(file: string, why: string, cause?: unknown): VivariumError {
  return taskInvalid(
    `the archive ${file} cannot be used: ${why}`,
    'Make the task again from its source.',
    cause,
  );
}
