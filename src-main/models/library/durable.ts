import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { newId } from '../../lib/index.ts';

/** Replaces a file in one step, on disk before this resolves; only its owner may read it. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const temporary = `${path}.${newId(6)}.tmp`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** Not every system lets a folder be opened; the files themselves are on disk by then. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  if (handle === undefined) return;
  await handle.sync().catch(() => undefined);
  await handle.close();
}
