import { VivariumError } from '../../lib/index.ts';
import type { TreeChanges } from '../types.ts';
import { boundedChunks } from './bounded-output.ts';
import { ChannelEnded } from './channel.ts';
import { FILE_SILENCE_MS, readFile, type FileState } from './files.ts';
import { openUp, type ListedEntry } from './listing.ts';
import { shellWord } from './quote.ts';

/** Beyond these a change cannot be a fix any more; what is over is refused by name. */
export const EXPORT_LIMITS = {
  fileBytes: 50 * 1024 * 1024,
  totalBytes: 200 * 1024 * 1024,
  files: 20_000,
};
/** A shell reads its code byte by byte: short requests, but few of them. */
const BATCH_PATH_BYTES = 24_000;
const BATCH_CONTENT_BYTES = 32 * 1024 * 1024;
const EXECUTE = 0o100;
/** One line of stat(1), and the target of one link: the kernel's own limit is 4096. */
const MAX_FACT_BYTES = 200;
const MAX_TARGET_BYTES = 4_200;
const GROWTH_BYTES = 1024 * 1024;

type Written = TreeChanges['written'][number];
type Refused = TreeChanges['refused'][number];

export interface Fetched {
  written: Written[];
  refused: Refused[];
}

/** An entry that may travel: a regular file or link with a sound name. */
export type Wanted = ListedEntry & { path: string };

/** Contents of files and targets of links, as they are now. */
export async function fetchEntries(state: FileState, wanted: Wanted[]): Promise<Fetched> {
  const fetched: Fetched = { written: [], refused: [] };
  const affordable = withinLimits(wanted, fetched.refused);
  const files = affordable.filter((entry) => entry.type === 'f');
  for (const batch of batches(files)) {
    const contents = await fetchBatch(state, batch);
    if (contents) addFiles(fetched, batch, contents);
    else await fetchSingly(state, batch, fetched);
  }
  const links = affordable.filter((entry) => entry.type === 'l');
  for (const batch of batches(links)) await fetchLinks(state, batch, fetched);
  return fetched;
}

/** The facts of plain files at these paths; `undefined` when one of them is none, or is gone. */
export async function statFiles(state: FileState, paths: string[]): Promise<Wanted[] | undefined> {
  const words = paths.map((path) => shellWord(`./${path}`)).join(' ');
  const text = await state.withChannel(async (channel) => {
    const stdout = boundedChunks(paths.length * MAX_FACT_BYTES, () => channel.destroy());
    const code = `vv_facts ${shellWord(state.root)} ${words}`;
    await channel.request({ code, silenceMs: FILE_SILENCE_MS, onStdout: stdout.push });
    return stdout.bytes().toString('latin1');
  });
  const lines = text.split('\n').slice(0, -1);
  if (lines.length !== paths.length) return undefined;
  const entries = lines.map((line, at): Wanted => {
    const [mode = '', size, inode = ''] = line.split(' ');
    const path = paths[at] ?? '';
    const type = regularSize(line) < 0 ? 'o' : 'f';
    const bits = Number.parseInt(mode, 16) & 0o7777;
    return {
      path,
      shown: path,
      type,
      mode: bits,
      size: Number(size),
      inode,
      touched: true,
      isGit: false,
    };
  });
  return entries.every(({ type }) => type === 'f') ? entries : undefined;
}

function withinLimits(wanted: Wanted[], refused: Refused[]): Wanted[] {
  let total = 0;
  let count = 0;
  return wanted.filter(({ path, size }) => {
    if (size > EXPORT_LIMITS.fileBytes)
      refused.push({ path, reason: `larger than ${mib('fileBytes')}` });
    else if (total + size > EXPORT_LIMITS.totalBytes) {
      refused.push({ path, reason: `all changes together are larger than ${mib('totalBytes')}` });
    } else if (count >= EXPORT_LIMITS.files) {
      refused.push({ path, reason: `more than ${EXPORT_LIMITS.files} changed files` });
    } else {
      total += size;
      count += 1;
      return true;
    }
    return false;
  });
}

function mib(limit: 'fileBytes' | 'totalBytes'): string {
  return `${EXPORT_LIMITS[limit] / (1024 * 1024)} MiB`;
}

function* batches(entries: Wanted[]): Generator<Wanted[]> {
  let batch: Wanted[] = [];
  let pathBytes = 0;
  let contentBytes = 0;
  for (const entry of entries) {
    pathBytes += Buffer.byteLength(entry.path) + 6;
    contentBytes += entry.size;
    if (batch.length > 0 && (pathBytes > BATCH_PATH_BYTES || contentBytes > BATCH_CONTENT_BYTES)) {
      yield batch;
      batch = [];
      pathBytes = Buffer.byteLength(entry.path) + 6;
      contentBytes = entry.size;
    }
    batch.push(entry);
  }
  if (batch.length > 0) yield batch;
}

function pathWords(batch: Wanted[]): string {
  return batch.map(({ path }) => shellWord(`./${path}`)).join(' ');
}

/**
 * One read of many files. The facts are taken before and after, in the same request: only if
 * nothing moved in between are the lengths sure to fit. `undefined` when they are not.
 */
async function fetchBatch(state: FileState, batch: Wanted[]): Promise<Buffer[] | undefined> {
  const code = `vv_fetch ${shellWord(state.root)} ${pathWords(batch)}`;
  // A little more than was listed: a file that grew is then read singly, not refused.
  const limit = batch.reduce((sum, entry) => sum + entry.size, 0) + GROWTH_BYTES;
  const reading = state.withChannel(async (channel) => {
    const stdout = boundedChunks(limit, () => channel.destroy());
    const stderr = boundedChunks(2 * batch.length * MAX_FACT_BYTES, () => channel.destroy());
    await channel.request({
      code,
      silenceMs: FILE_SILENCE_MS,
      onStdout: stdout.push,
      onStderr: stderr.push,
    });
    return { content: stdout.bytes(), facts: stderr.bytes() };
  });
  const read = await reading.catch((error: unknown) => {
    // A file that grows as fast as it is read has no end.
    if (error instanceof ChannelEnded) return undefined;
    throw error;
  });
  if (!read) return undefined;
  const { content, facts } = read;
  const [before = '', after = ''] = facts.toString('latin1').split('\n\n');
  if (before.trim() !== after.trim()) return undefined;
  const sizes = before.split('\n').map(regularSize);
  if (sizes.length !== batch.length || sizes.includes(-1)) return undefined;
  return cut(content, sizes);
}

/** Size in a line of stat(1), -1 when it is not a regular file. */
function regularSize(line: string): number {
  const [mode = '', size = '-1'] = line.split(' ');
  return (Number.parseInt(mode, 16) & 0xf000) === 0x8000 ? Number(size) : -1;
}

function cut(bytes: Buffer, sizes: number[]): Buffer[] | undefined {
  if (sizes.reduce((sum, size) => sum + size, 0) !== bytes.length) return undefined;
  let at = 0;
  return sizes.map((size) => bytes.subarray(at, (at += size)));
}

function addFiles(fetched: Fetched, batch: Wanted[], contents: Buffer[]): void {
  for (const [index, entry] of batch.entries()) {
    const content = contents[index] ?? Buffer.alloc(0);
    fetched.written.push(fileRow(entry, content));
  }
}

function fileRow({ path, mode }: Wanted, content: Uint8Array): Written {
  const executable = (mode & EXECUTE) !== 0;
  return { entry: { path, kind: 'file', executable, size: content.length }, content };
}

/** The slow way, for files that change while they are read or that their owner may not read. */
async function fetchSingly(state: FileState, batch: Wanted[], fetched: Fetched): Promise<void> {
  await openUp(state);
  for (const entry of batch) {
    try {
      const read = await readFile(state, entry.path, EXPORT_LIMITS.fileBytes);
      if (read) fetched.written.push(fileRow(entry, read.bytes));
      else fetched.refused.push({ path: entry.path, reason: 'it vanished while it was read' });
    } catch (error) {
      if (!(error instanceof VivariumError) || error.code !== 'workspace_path') throw error;
      fetched.refused.push({ path: entry.path, reason: error.message });
    }
  }
}

async function fetchLinks(state: FileState, batch: Wanted[], fetched: Fetched): Promise<void> {
  const code = `vv_links ${shellWord(state.root)} ${pathWords(batch)}`;
  const bytes = await state.withChannel(async (channel) => {
    const stdout = boundedChunks(batch.length * MAX_TARGET_BYTES, () => channel.destroy());
    await channel.request({ code, silenceMs: FILE_SILENCE_MS, onStdout: stdout.push });
    return stdout.bytes();
  });
  let at = 0;
  for (const { path } of batch) {
    const end = bytes.indexOf(0, at);
    const content = bytes.subarray(at, Math.max(at, end));
    at = end + 1;
    if (end < 0 || content.length === 0) {
      fetched.refused.push({ path, reason: 'it vanished while it was read' });
      continue;
    }
    const entry = { path, kind: 'symlink', executable: false, size: content.length } as const;
    fetched.written.push({ entry, content });
  }
}
