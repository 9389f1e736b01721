import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { sha256 } from '../../lib/index.ts';
import type { Task, TreeFile } from './types.ts';

/** Shorter contents are alike by chance. */
const LEAST_BYTES = 16;
/** Shorter lines of a fix say nothing. */
const LEAST_CHARS = 24;

/**
 * Files of the tree that are files of the task's `tests/` or `solution/`: an agent could read what it
 * is judged by. A tree with history shows what came later.
 */
export async function leakedFiles(task: Task, tree: AsyncIterable<TreeFile>): Promise<string[]> {
  const secrets = new Map<string, string>();
  for (const part of ['tests', 'solution']) {
    for (const [name, content] of await filesBelow(path.join(task.folder, part))) {
      if (content.length >= LEAST_BYTES) secrets.set(sha256(content), `${part}/${name}`);
    }
  }
  const found: string[] = [];
  for await (const { path: name, content } of tree) {
    const secret = content.length < LEAST_BYTES ? undefined : secrets.get(sha256(content));
    if (secret !== undefined) found.push(`the tree holds ${secret} as ${name}`);
    if (/(^|\/)\.git(\/|$)/i.test(name)) found.push(`the tree holds history (${name})`);
  }
  return found;
}

/** Lines that the fix adds and the instruction quotes. */
export async function toldLines(task: Task): Promise<string[]> {
  const patch = await readFile(path.join(task.folder, 'solution', 'fix.patch'), 'utf8').catch(
    () => '',
  );
  const added = patch.split('\n').filter((line) => /^\+(?!\+\+)/.test(line));
  const told = added
    .map((line) => line.slice(1).trim())
    .filter((line) => line.length >= LEAST_CHARS);
  return [...new Set(told)].filter((line) => task.instruction.includes(line));
}

async function filesBelow(folder: string): Promise<[string, Buffer][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry): Promise<[string, Buffer]> => {
        const file = path.join(entry.parentPath, entry.name);
        return [path.relative(folder, file), await readFile(file)];
      }),
  );
}
