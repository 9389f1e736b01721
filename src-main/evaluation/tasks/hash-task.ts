import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readlink, stat } from 'node:fs/promises';
import path from 'node:path';
import { sha256 } from '../../lib/index.ts';
import { taskInvalid } from './invalid.ts';

/** Files of `tests/` come into a workspace as a whole. */
const MAX_TEST_BYTES = 512 * 2 ** 20;

/**
 * sha256 over every file below a task's folder: names, kinds, execute bits, contents. Times and
 * owners do not count.
 *
 * @throws VivariumError `task_invalid` for a link that leaves the folder, and for what is no file
 */
export async function hashTask(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const { name, kind } of await listing(folder)) {
    const file = path.join(folder, name);
    if (kind === 'link') {
      hash.update(`l\0${name}\0${sha256(await innerTarget(folder, name))}\n`);
      continue;
    }
    const { mode, size } = await stat(file);
    if (size > MAX_TEST_BYTES && name.startsWith('tests/')) {
      throw taskInvalid(`${name} is larger than 512 MiB`, 'No workspace could hold it: remove it.');
    }
    const content = createHash('sha256');
    for await (const chunk of createReadStream(file)) content.update(chunk as Buffer);
    hash.update(`${mode & 0o100 ? 'x' : 'f'}\0${name}\0${content.digest('hex')}\n`);
  }
  return hash.digest('hex');
}

async function listing(folder: string): Promise<{ name: string; kind: 'file' | 'link' }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => {
      const name = path.relative(folder, path.join(entry.parentPath, entry.name));
      // What a name that is not UTF-8 was decoded to: no file is found by it.
      if (name.includes('\ufffd')) {
        throw taskInvalid(`the name of ${name} in the task is not UTF-8`, 'Rename or remove it.');
      }
      if (!entry.isFile() && !entry.isSymbolicLink()) {
        throw taskInvalid(`${name} in the task is no file`, 'Remove it from the folder.');
      }
      return { name, kind: entry.isFile() ? ('file' as const) : ('link' as const) };
    });
  return found.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
}

async function innerTarget(folder: string, name: string): Promise<string> {
  const target = await readlink(path.join(folder, name));
  const reached = path.relative(folder, path.resolve(folder, path.dirname(name), target));
  if (reached !== '..' && !reached.startsWith('../') && !path.isAbsolute(target)) return target;
  throw taskInvalid(
    `${name} in the task is a link that leaves its folder`,
    'Replace the link by the file that it leads to.',
  );
}
