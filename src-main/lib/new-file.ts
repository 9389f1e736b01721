import { link, open, rename, unlink } from 'node:fs/promises';
import { messageOf, VivariumError } from './errors.ts';
import { codeOf } from './fault-code.ts';
import { visibleLine } from './visible.ts';

/** What file systems say that know no hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP', 'EMLINK']);

/**
 * Gives a finished file its name, never over another one. A hard link fails where the name is taken;
 * file systems without links get the name reserved. The temporary name may be left to remove.
 * Throws the system's error, `EEXIST` where the name is taken.
 */
export async function placeNew(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
    return;
  } catch (fault) {
    if (!NO_LINKS.has(codeOf(fault))) throw fault;
  }
  await (await open(path, 'wx', 0o644)).close();
  await rename(temporary, path).catch(async (fault: unknown) => {
    await unlink(path);
    throw fault;
  });
}

/** The failure to write an export into a folder that a person named. */
export function unwritable(folder: string, fault: unknown): VivariumError {
  const full = ['ENOSPC', 'EDQUOT'].includes(codeOf(fault));
  return new VivariumError(
    full ? 'disk_full' : 'out_unwritable',
    `can't write to ${visibleLine(folder)}: ${visibleLine(messageOf(fault))}`,
    full ? 'Free some disk space and export again.' : 'Choose a folder that you can write to.',
    fault,
  );
}
