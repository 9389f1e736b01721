import { rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readRecord, serverFiles } from './files.ts';
import { takeLock } from './lock.ts';
import { isLeft } from './reap.ts';
import { listUsers } from './users.ts';

/** Names of all folders of servers, also of those that never came to a record. */
export async function serverFolders(home: string): Promise<string[]> {
  const entries = await readdir(join(home, 'servers'), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.endsWith('.lock'))
    .map(({ name }) => name)
    .toSorted();
}

/**
 * Removes the folder of a server: its last state, logs and caches.
 * @returns `false`, with all as it was, while it runs, is used, or has something left to end
 */
export function forgetServer(home: string, name: string): boolean {
  const files = serverFiles(home, name);
  const record = readRecord(files);
  if (record !== null && isLeft(record)) return false;
  if (listUsers(files.users).length > 0) return false;
  const { lock } = takeLock(files.lock, 'forget');
  if (lock === null) return false;
  try {
    rmSync(files.folder, { recursive: true, force: true, maxRetries: 3 });
    return true;
  } finally {
    lock.release();
  }
}
