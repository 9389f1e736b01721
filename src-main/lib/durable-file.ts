import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { newId } from './ids.ts';

/**
 * Replaces a file in one step, on disk before this resolves; only its owner may read it. Throws the
 * system's error, and leaves the old file then.
 */
export async function writeDurably(path: string, text: string): Promise<void> {
  const temporary = `${path}.${newId(6)}.tmp`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Not every system lets a folder be opened; the files themselves are on disk by then. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  if (handle === undefined) return;
  await handle.sync().catch(() => undefined);
  await handle.close();
}
