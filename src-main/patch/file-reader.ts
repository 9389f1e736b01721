import { constants } from 'node:fs';
import { lstat, open, readlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, VivariumError } from '../lib/index.ts';

/** What lies at a path of a folder right now. */
export type FoundFile =
  | { kind: 'file'; executable: boolean; content: Uint8Array }
  | { kind: 'large'; executable: boolean; size: number; chunks: () => AsyncIterable<Uint8Array> }
  | { kind: 'symlink'; content: Uint8Array }
  | { kind: 'missing' }
  | { kind: 'folder' }
  | { kind: 'refused'; reason: string };

/** Files above this are streamed, so that memory stays bounded. */
const LARGE_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;

/**
 * Reads files below `root` without ever following a link: not at the end of a path, and not on the
 * way to it.
 */
export function fileReader(root: string): (path: string) => Promise<FoundFile> {
  const folders = new Map<string, Promise<boolean>>();

  const isRealFolder = (folder: string): Promise<boolean> => {
    if (folder === '') return Promise.resolve(true);
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const looked = (async () => {
      if (!(await isRealFolder(parentOf(folder)))) return false;
      const stat = await lstat(join(root, folder)).catch(() => undefined);
      return stat?.isDirectory() === true;
    })();
    folders.set(folder, looked);
    return looked;
  };

  return async (path) => {
    if (!(await isRealFolder(parentOf(path)))) return { kind: 'missing' };
    try {
      return await readOne(join(root, path));
    } catch (fault) {
      return faultOf(fault);
    }
  };
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

async function readOne(path: string): Promise<FoundFile> {
  const seen = await lstat(path);
  if (seen.isDirectory()) return { kind: 'folder' };
  if (seen.isSymbolicLink()) {
    return { kind: 'symlink', content: await readlink(path, { encoding: 'buffer' }) };
  }
  if (!seen.isFile()) return { kind: 'refused', reason: 'not a regular file' };
  const handle = await openFile(path);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) return { kind: 'refused', reason: 'not a regular file' };
    const executable = (stat.mode & 0o100) !== 0;
    if (stat.size > LARGE_BYTES) {
      return { kind: 'large', executable, size: stat.size, chunks: () => chunksOf(path, stat.size) };
    }
    return { kind: 'file', executable, content: await handle.readFile() };
  } finally {
    await handle.close();
  }
}

// NONBLOCK: a FIFO put there in between must not make us wait.
function openFile(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

async function* chunksOf(path: string, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  const handle = await openFile(path);
  try {
    for (let at = 0; at < size; ) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - at));
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
      if (bytesRead === 0) throw changedMeanwhile(path);
      yield chunk.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

function changedMeanwhile(path: string): VivariumError {
  return new VivariumError(
    'repo_unreadable',
    `${path} changed while it was read.`,
    'Wait until nothing writes to the repository and start again.',
  );
}

function faultOf(fault: unknown): FoundFile {
  const code = fault instanceof Error && 'code' in fault ? fault.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return { kind: 'missing' };
  if (code === 'EACCES' || code === 'EPERM') return { kind: 'refused', reason: 'no permission to read' };
  if (code === 'ENAMETOOLONG') return { kind: 'refused', reason: 'name too long' };
  throw new VivariumError(
    'repo_unreadable',
    `A file of the repository cannot be read: ${messageOf(fault)}`,
    'Check the disk and the permissions of the repository, then start again.',
    fault,
  );
}
