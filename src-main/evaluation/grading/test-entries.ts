import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import type { SeedEntry } from '../../workspaces/index.ts';
import type { Task } from '../tasks/types.ts';

const NOTHING = new Uint8Array();

/** The files of a task's `tests/` as they lie on disk; `test.sh` can be executed. */
export async function* testEntries(task: Pick<Task, 'folder'>): AsyncGenerator<SeedEntry> {
  yield* entriesBelow(path.join(task.folder, 'tests'), '');
}

async function* entriesBelow(folder: string, prefix: string): AsyncGenerator<SeedEntry> {
  for (const name of (await readdir(folder)).toSorted()) {
    const file = path.join(folder, name);
    const at = prefix + name;
    const found = await lstat(file);
    if (found.isDirectory()) {
      yield { path: at, mode: '40000', content: NOTHING };
      yield* entriesBelow(file, `${at}/`);
    } else if (found.isSymbolicLink()) {
      yield { path: at, mode: '120000', content: await readlink(file, { encoding: 'buffer' }) };
    } else if (found.isFile()) {
      const executable = at === 'test.sh' || (found.mode & 0o100) !== 0;
      yield { path: at, mode: executable ? '100755' : '100644', content: await readFile(file) };
    }
  }
}
