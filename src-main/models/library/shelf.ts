import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive, makeFolder, newId, processIdentity, syncFolder } from '../../lib/index.ts';
import { unwritable } from './copy-file.ts';

/** Folders that are being made or removed; their owner's identity tells whether it still lives. */
const TEMPORARY = /^\.(?:adding|removing)\.[0-9a-z]+\.(.+)$/;

/** `HOME/models`, made when it is not there. */
export async function openShelf(home: string): Promise<string> {
  const shelf = join(home, 'models');
  await makeFolder(shelf, 0o700).catch((fault: unknown) => {
    throw unwritable(shelf, fault);
  });
  return shelf;
}

export function temporaryName(purpose: 'adding' | 'removing'): string {
  return `.${purpose}.${newId(8)}.${processIdentity()}`;
}

/** Removes what owners left that were killed in the middle. */
export async function sweep(shelf: string): Promise<void> {
  for (const name of await readdir(shelf).catch(() => [])) {
    const owner = TEMPORARY.exec(name)?.[1];
    if (owner === undefined || isAlive(owner)) continue;
    // Another instance may sweep at the same moment.
    await rm(join(shelf, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Names that have a folder of their own; links are none of ours. */
export async function shelfNames(shelf: string): Promise<string[]> {
  const entries = await readdir(shelf, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .toSorted();
}

/**
 * Fills a folder out of sight and gives it its name in one step; nothing is left when that fails.
 *
 * @returns `null` when the name was taken meanwhile
 */
export async function placeWhole<T>(
  shelf: string,
  name: string,
  fill: (folder: string) => Promise<T>,
): Promise<T | null> {
  const folder = join(shelf, temporaryName('adding'));
  let placed = false;
  try {
    await mkdir(folder, { mode: 0o700 }).catch((fault: unknown) => {
      throw unwritable(folder, fault);
    });
    const result = await fill(folder);
    await syncFolder(folder);
    placed = await renameFree(folder, join(shelf, name));
    if (!placed) return null;
    await syncFolder(shelf);
    return result;
  } finally {
    if (!placed) await rm(folder, { recursive: true, force: true });
  }
}

/** `false` when the name is taken. */
export async function renameFree(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (fault) {
    const { code = '' } = fault as NodeJS.ErrnoException;
    if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EISDIR'].includes(code)) return false;
    throw unwritable(to, fault);
  }
}
