import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { VivariumError, messageOf } from './errors.ts';
import { newId } from './ids.ts';

/**
 * Writes a file in one step: readers see the old content or the new, never a part. A link at the
 * destination is replaced, not followed; missing folders are made. Returns the absolute path.
 * @throws VivariumError `out_unwritable` or `disk_full`; nothing is left behind then.
 */
export async function writeAtomic(file: string, content: Uint8Array | string): Promise<string> {
  const target = path.resolve(file);
  const temporary = path.join(path.dirname(target), `.${path.basename(target)}.${newId(6)}.tmp`);
  try {
    await mkdir(path.dirname(target), { recursive: true });
    const handle = await open(temporary, 'wx', 0o644);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
    return target;
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    const full = (error as NodeJS.ErrnoException).code === 'ENOSPC';
    throw new VivariumError(
      full ? 'disk_full' : 'out_unwritable',
      `can't write ${target}: ${messageOf(error)}`,
      full ? 'Free some disk space and export again.' : 'Choose a folder that you can write to.',
      error,
    );
  }
}
