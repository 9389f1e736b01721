import { readFile } from 'node:fs/promises';

/** Where the kernel tells what we may use; tests give folders of their own. */
export interface Places {
  /** `/proc` */
  proc: string;
  /** Put before every mount point of control groups; empty on a real system. */
  mounts: string;
}

export const REAL_PLACES: Places = { proc: '/proc', mounts: '' };

/** The text of a file of the kernel, `null` when it is not there or may not be read. */
export async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return null;
  }
}
