import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it; one that is there already is fine. Throws the system's error.
 * Node's own `recursive` never returns where the system denies a new folder with ENOENT, as in
 * `/proc` (seen with Node 24).
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(path, mode);
  } catch (fault) {
    const code = (fault as NodeJS.ErrnoException).code;
    const parent = dirname(path);
    if (code === 'ENOENT' && parent !== path && !(await isFolder(parent))) {
      await makeFolder(parent, mode);
      await mkdir(path, mode);
      return;
    }
    if (code !== 'EEXIST' || !(await isFolder(path))) throw fault;
  }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}

/** As {@link makeFolder}, for places that cannot wait. */
export function makeFolderSync(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, mode);
  } catch (fault) {
    const code = (fault as NodeJS.ErrnoException).code;
    const parent = dirname(path);
    if (code === 'ENOENT' && parent !== path && !isFolderSync(parent)) {
      makeFolderSync(parent, mode);
      mkdirSync(path, mode);
      return;
    }
    if (code !== 'EEXIST' || !isFolderSync(path)) throw fault;
  }
}

function isFolderSync(path: string): boolean {
  // Unlike stat, statSync can be asked not to throw only for what is missing, not for what is denied.
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
