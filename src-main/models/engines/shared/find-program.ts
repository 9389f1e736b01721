import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** Where a program was looked for, and where it is. */
export interface FoundProgram {
  file: string | null;
  /** Places that were looked at, in order, for the message when there is none. */
  looked: string[];
}

/** Looks for a program by name in folders, in order. An absolute name is only checked. */
export async function findProgram(name: string, folders: readonly string[]): Promise<FoundProgram> {
  const looked: string[] = [];
  const candidates = isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name));
  for (const file of candidates) {
    looked.push(file);
    if (await isExecutable(file)) return { file, looked };
  }
  return { file: null, looked };
}

/** The folders of PATH; relative ones are left out, since what they mean depends on where we run. */
export function pathFolders(env: Readonly<Record<string, string | undefined>>): string[] {
  return (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    if (!(await stat(file)).isFile()) return false;
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
