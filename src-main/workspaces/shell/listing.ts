import { newId, VivariumError } from '../../lib/index.ts';
import { shellWord } from './quote.ts';
import type { FileState } from './files.ts';

/** Listing more than this can only be an attack: 400,000 inodes with names of usual length fit. */
const MAX_LISTING_BYTES = 128 * 1024 * 1024;
const ATTEMPTS = 4;
const TYPE_MASK = 0xf000;
const TYPE_LETTERS: Readonly<Record<number, string>> = { 0x4000: 'd', 0x8000: 'f', 0xa000: 'l' };
const NANOSECONDS = 1_000_000_000n;

/** One entry below the repository's folder. */
export interface ListedEntry {
  /** Relative; `null` when the name is not UTF-8. */
  path: string | null;
  /** For display when `path` is null. */
  shown: string;
  /** As find(1) names types: f, d, l, and others. */
  type: string;
  mode: number;
  size: number;
  /** Inode number: another one at the same path means that the file was replaced. */
  inode: string;
  /** Touched since the mark, by the kernel's ctime. */
  touched: boolean;
  /** A `.git` of any type; what is below it is not listed. */
  isGit: boolean;
}

export interface Listing {
  entries: ListedEntry[];
  /** The workspace's clock when the listing began, in ns; `null` when it could not be read. */
  at: bigint | null;
}

/**
 * Reads the whole tree. A listing that failed is never returned in part, since what is missing
 * would read as deleted: folders the agent closed to itself are opened again, then it is repeated.
 * @throws VivariumError `workspace_failed`
 */
export async function listTree(state: FileState, since: bigint): Promise<Listing> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const listing = await tryList(state, since);
    if (listing) return listing;
    await openUp(state);
  }
  throw new VivariumError(
    'workspace_failed',
    'The files of the workspace cannot be listed completely.',
    'End what still runs in the workspace, then try again.',
  );
}

/** Gives the workspace's user back the right to read its own files; execute bits stay. */
export async function openUp(state: FileState): Promise<void> {
  await state.withChannel((channel) =>
    channel.request({ code: `vv_open_up ${shellWord(state.root)}` }),
  );
}

async function tryList(state: FileState, since: bigint): Promise<Listing | undefined> {
  const code = `vv_tree ${shellWord(state.root)} ${formatTime(since)} ${newId(12)}`;
  return state.withChannel(async (channel) => {
    const names = collector();
    const facts = collector();
    const status = await channel.request({ code, onStdout: names.push, onStderr: facts.push });
    const [result, time = '0'] = status.split(' ');
    if (result !== 'ok' || names.overflowed()) return undefined;
    const entries = channel.hasGnuFind
      ? parseFind(names.bytes())
      : parseStat(names.bytes(), facts.bytes().toString('latin1'), since);
    if (!entries) return undefined;
    return { entries, at: time === '0' ? null : parseTime(time) };
  });
}

function collector() {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    push: (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_LISTING_BYTES) chunks.push(chunk);
    },
    overflowed: () => size > MAX_LISTING_BYTES,
    bytes: () => Buffer.concat(chunks),
  };
}

/** Records of our find(1) format: mark, type, octal mode, size, inode, name, NUL. */
function parseFind(bytes: Buffer): ListedEntry[] | undefined {
  const entries: ListedEntry[] = [];
  for (const record of splitNul(bytes)) {
    const match = /^([CUG])(.)([0-7]+) (\d+) (\d+) ([^]+)$/.exec(record.text);
    if (!match) return undefined;
    const [, mark, type = '', mode = '', size, inode = '', name = ''] = match;
    entries.push({
      path: record.valid ? name : null,
      shown: name,
      type,
      mode: Number.parseInt(mode, 8),
      size: Number(size),
      inode,
      touched: mark === 'C',
      isGit: mark === 'G',
    });
  }
  return entries;
}

/** Names from one walk and stat(1) lines from a second one; they belong together by order. */
function parseStat(names: Buffer, facts: string, since: bigint): ListedEntry[] | undefined {
  const lines = facts.split('\n').filter((line) => line !== '');
  const records = splitNul(names);
  if (lines.length !== records.length) return undefined;
  const entries: ListedEntry[] = [];
  for (const [index, record] of records.entries()) {
    const match = /^([0-9a-f]+) (\d+) (\d+) (\d+)$/.exec(lines[index] ?? '');
    if (!match || !record.text.startsWith('./')) return undefined;
    const mode = Number.parseInt(match[1] ?? '', 16);
    const name = record.text.slice(2);
    entries.push({
      path: record.valid ? name : null,
      shown: name,
      type: TYPE_LETTERS[mode & TYPE_MASK] ?? 'o',
      mode: mode & 0o7777,
      size: Number(match[2]),
      inode: match[3] ?? '',
      // Whole seconds only: everything of the mark's own second counts as touched.
      touched: BigInt(match[4] ?? 0) >= since / NANOSECONDS,
      isGit: name === '.git' || name.endsWith('/.git'),
    });
  }
  return entries;
}

function splitNul(bytes: Buffer): { text: string; valid: boolean }[] {
  const records: { text: string; valid: boolean }[] = [];
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0, at);
    if (end < 0) break;
    const part = bytes.subarray(at, end);
    at = end + 1;
    try {
      records.push({ text: strict.decode(part), valid: true });
    } catch {
      records.push({ text: part.toString('utf8'), valid: false });
    }
  }
  return records;
}

/** `seconds.nanoseconds` to ns. */
function parseTime(text: string): bigint {
  const [seconds = '0', fraction = ''] = text.split('.');
  return BigInt(seconds) * NANOSECONDS + BigInt(fraction.padEnd(9, '0').slice(0, 9));
}

function formatTime(time: bigint): string {
  return `${time / NANOSECONDS}.${String(time % NANOSECONDS).padStart(9, '0')}`;
}
