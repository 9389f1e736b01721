import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/**
 * Opens a file that a person named, for reading. A pipe or a device is refused instead of waited
 * for: opening a pipe that nobody writes to holds a thread of this process until somebody does, and
 * four of them are all that there are.
 * @throws Error of node when it cannot be opened; one with the code `EINVAL` when it is no plain file
 */
export async function openPlainFile(file: string): Promise<FileHandle> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = await handle.stat();
    if (stat.isFile()) return handle;
    const what = stat.isDirectory() ? 'it is a folder' : 'it is a pipe or a device, not a file';
    throw Object.assign(new Error(what), { code: 'EINVAL' });
  } catch (fault) {
    await handle.close();
    throw fault;
  }
}
