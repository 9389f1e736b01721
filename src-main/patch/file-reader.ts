import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, visibleLine, VivariumError } from '../lib/index.ts';

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
/**
 * Files up to this are read synchronously: a handful of system calls of microseconds each, where
 * handing every one to a thread costs several times as much (measured with 50,000 small files).
 */
const SMALL_BYTES = 256 * 1024;
const CHUNK_BYTES = 1024 * 1024;

/** Reads one path; small files at once, others later. */
export type FileReader = (path: string) => FoundFile | Promise<FoundFile>;

/**
 * Reads files below `root` without ever following a link: not at the end of a path, and not on the
 * way to it. What it learned of folders holds as long as the reader is used.
 */
export function fileReader(root: string): FileReader {
  const folders = new Map<string, boolean>([['', true]]);

  const isRealFolder = (folder: string): boolean => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const looked = isRealFolder(parentOf(folder)) && isFolder(join(root, folder));
    folders.set(folder, looked);
    return looked;
  };

  return (path) => {
    if (!isRealFolder(parentOf(path))) return { kind: 'missing' };
    try {
      const found = readOne(join(root, path));
      return found instanceof Promise ? found.catch(faultOf) : found;
    } catch (fault) {
      return faultOf(fault);
    }
  };
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

function readOne(path: string): FoundFile | Promise<FoundFile> {
  const seen = lstatSync(path);
  if (seen.isDirectory()) return { kind: 'folder' };
  if (seen.isSymbolicLink()) return { kind: 'symlink', content: readlinkSync(path, 'buffer') };
  if (!seen.isFile()) return NOT_REGULAR;
  return seen.size <= SMALL_BYTES ? readSmall(path) : readOther(path);
}

const NOT_REGULAR: FoundFile = { kind: 'refused', reason: 'not a regular file' };

// NONBLOCK: a FIFO put there in between must not make us wait.
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function readSmall(path: string): FoundFile {
  const descriptor = openSync(path, OPEN_FLAGS);
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return NOT_REGULAR;
    // One byte more than there should be shows in the same call that the end was reached.
    const buffer = Buffer.allocUnsafe(stat.size + 1);
    const read = readSync(descriptor, buffer, 0, buffer.length, 0);
    const content = read === stat.size ? buffer.subarray(0, read) : readFileSync(descriptor);
    return { kind: 'file', executable: isExecutable(stat.mode), content };
  } finally {
    closeSync(descriptor);
  }
}

async function readOther(path: string): Promise<FoundFile> {
  const handle = await open(path, OPEN_FLAGS);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) return NOT_REGULAR;
    const executable = isExecutable(stat.mode);
    const { size } = stat;
    if (size > LARGE_BYTES) {
      return { kind: 'large', executable, size, chunks: () => chunksOf(path, size) };
    }
    return { kind: 'file', executable, content: await handle.readFile() };
  } finally {
    await handle.close();
  }
}

function isExecutable(mode: number): boolean {
  return (mode & 0o100) !== 0;
}

async function* chunksOf(path: string, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  const handle = await open(path, OPEN_FLAGS);
  try {
    for (let at = 0; at < size;) {
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
    `${visibleLine(path)} changed while it was read`,
    'Wait until nothing writes to the repository and start again.',
  );
}

function faultOf(fault: unknown): FoundFile {
  const code = fault instanceof Error && 'code' in fault ? fault.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return { kind: 'missing' };
  if (code === 'EACCES' || code === 'EPERM')
    return { kind: 'refused', reason: 'no permission to read' };
  if (code === 'ENAMETOOLONG') return { kind: 'refused', reason: 'name too long' };
  throw new VivariumError(
    'repo_unreadable',
    `a file of the repository can't be read: ${visibleLine(messageOf(fault))}`,
    'Check the disk and the permissions of the repository, then start again.',
    fault,
  );
}
