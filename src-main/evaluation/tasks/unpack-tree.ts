import { open, type FileHandle } from 'node:fs/promises';
import { taskInvalid } from './invalid.ts';
import { treeProblem } from './tree-path.ts';
import type { TreeFile } from './types.ts';

const BLOCK = 512;
/** A repository with a larger single file is none that a workspace could hold. */
const MAX_FILE_BYTES = 1024 ** 3;
/** Of the records that carry long names. */
const MAX_RECORD_BYTES = 1 << 20;

/**
 * Files and links of a tar archive, read as hostile data: every name is checked, and what is no
 * file, link or folder is refused. A leading `./` is taken off.
 *
 * @throws VivariumError `task_invalid`
 */
export async function* unpackTree(file: string): AsyncGenerator<TreeFile, void, undefined> {
  const handle = await open(file, 'r').catch((error: unknown) => {
    throw broken(file, 'it cannot be opened', error);
  });
  try {
    yield* entriesOf(handle, file);
  } finally {
    await handle.close();
  }
}

interface Names {
  path?: string | undefined;
  linkpath?: string | undefined;
}

async function* entriesOf(
  handle: FileHandle,
  file: string,
): AsyncGenerator<TreeFile, void, undefined> {
  const seen = new Set<string>();
  let at = 0;
  let names: Names = {};
  for (;;) {
    const head = await readAt(handle, at, BLOCK, file);
    if (head.every((byte) => byte === 0)) return;
    const header = readHeader(head, file);
    at += BLOCK;
    const next = at + Math.ceil(header.size / BLOCK) * BLOCK;
    if ('xgLK'.includes(header.type)) {
      if (header.size > MAX_RECORD_BYTES) throw broken(file, 'it has a record that is too large');
      const record = await readAt(handle, at, header.size, file);
      // A record for all entries (`g`) holds a comment, as `git archive` writes it; names there are not taken.
      if (header.type !== 'g') Object.assign(names, namesIn(header.type, record));
      at = next;
      continue;
    }
    const path = plainPath(names.path ?? header.path);
    const target = names.linkpath ?? header.target;
    names = {};
    if (header.type !== '5') {
      if (header.size > MAX_FILE_BYTES) throw broken(file, `${JSON.stringify(path)} is too large`);
      const mode = header.type === '2' ? '120000' : '100644';
      const problem =
        treeProblem({ path, mode }) ?? (seen.has(path) ? 'it comes twice' : undefined);
      if (problem !== undefined) throw broken(file, `${JSON.stringify(path)}: ${problem}`);
      seen.add(path);
      yield await readEntry(
        header,
        { path, target },
        () => readAt(handle, at, header.size, file),
        file,
      );
    }
    at = next;
  }
}

async function readEntry(
  header: Header,
  { path, target }: { path: string; target: string },
  content: () => Promise<Buffer>,
  file: string,
): Promise<TreeFile> {
  if (header.type === '2') return { path, mode: '120000', content: Buffer.from(target) };
  if (header.type !== '0' && header.type !== '\0') {
    throw broken(file, `${JSON.stringify(path)} is no file, link or folder`);
  }
  return { path, mode: header.executable ? '100755' : '100644', content: await content() };
}

interface Header {
  path: string;
  target: string;
  type: string;
  size: number;
  executable: boolean;
}

function readHeader(head: Buffer, file: string): Header {
  const sum = head.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (octal(head, 148, 8) !== sum) throw broken(file, 'it is no tar archive, or damaged');
  const size = octal(head, 124, 12);
  if (size === undefined) throw broken(file, 'it has a size that cannot be read');
  const isUstar = head.toString('latin1', 257, 262) === 'ustar';
  const prefix = isUstar && head.toString('latin1', 262, 264) !== ' \0' ? text(head, 345, 155) : '';
  const name = text(head, 0, 100);
  return {
    path: prefix === '' ? name : `${prefix}/${name}`,
    target: text(head, 157, 100),
    type: head.toString('latin1', 156, 157),
    size,
    executable: ((octal(head, 100, 8) ?? 0) & 0o100) !== 0,
  };
}

function text(head: Buffer, at: number, length: number): string {
  const field = head.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? length : end);
}

function octal(head: Buffer, at: number, length: number): number | undefined {
  const digits = head
    .toString('latin1', at, at + length)
    .replace(/[\0 ]+$/, '')
    .trimStart();
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : undefined;
}

/** Names of a pax record (`x`) or of GNU's long name (`L`) and long link (`K`). */
function namesIn(type: string, record: Buffer): Names {
  const plain = record.toString('utf8').replace(/\0+$/, '');
  if (type === 'L') return { path: plain };
  if (type === 'K') return { linkpath: plain };
  const names: Names = {};
  for (let at = 0; at < record.length;) {
    const blank = record.indexOf(0x20, at);
    const length = Number(record.toString('latin1', at, blank));
    if (blank === -1 || !Number.isSafeInteger(length) || length <= blank - at) break;
    const line = record.toString('utf8', blank + 1, at + length - 1);
    const equals = line.indexOf('=');
    const key = line.slice(0, equals);
    if (key === 'path' || key === 'linkpath') names[key] = line.slice(equals + 1);
    at += length;
  }
  return names;
}

function plainPath(path: string): string {
  return path.replace(/^(\.\/)+/, '');
}

async function readAt(
  handle: FileHandle,
  at: number,
  length: number,
  file: string,
): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, at);
  if (bytesRead < length) throw broken(file, 'it is cut off');
  return buffer;
}

function broken(file: string, why: string, cause?: unknown): Error {
  return taskInvalid(
    `the archive ${file} cannot be used: ${why}`,
    'Make the task again from its source.',
    cause,
  );
}
