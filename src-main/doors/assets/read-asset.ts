import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { resolveAsset } from './resolve-asset.ts';

export interface Asset {
  bytes: Uint8Array;
  /** Value of `Content-Type`. */
  type: string;
  /** Its name holds a hash of its content, so that it never changes. */
  hashed: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** As the build names them: `index-CHSs-2Kp.js`. */
const HASHED = /^\/assets\/[^/]+-[A-Za-z0-9_-]{8}\.[a-z0-9]+$/;

/**
 * The file of the built pages that a path of a URL names; `null` when there is none. Only plain files
 * of known types are given out, spelt as they are on disk, and never through a link.
 */
export async function readAsset(folder: string, urlPath: string): Promise<Asset | null> {
  const file = resolveAsset(folder, urlPath);
  if (file === null) return null;
  const type = TYPES[path.extname(file)];
  if (type === undefined) return null;
  try {
    const root = await realpath(folder);
    const wanted = path.join(root, path.relative(folder, file));
    // A link on the way, or another case on a disk that does not care, has another real path.
    if ((await realpath(file)) !== wanted) return null;
    return { bytes: await readPlainFile(wanted), type, hashed: HASHED.test(urlPath) };
  } catch (fault) {
    if (isMissing(fault)) return null;
    throw fault;
  }
}

async function readPlainFile(file: string): Promise<Uint8Array> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    if (!(await handle.stat()).isFile()) throw Object.assign(new Error(), { code: 'ENOENT' });
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

function isMissing(fault: unknown): boolean {
  const { code } = fault as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'EISDIR';
}
