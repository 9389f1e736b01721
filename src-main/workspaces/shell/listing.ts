import { isUtf8 } from 'node:buffer';
import { newId, VivariumError } from '../../lib/index.ts';
import { shellWord } from './quote.ts';
import { boundedChunks } from './bounded-output.ts';
import { FILE_SILENCE_MS, type FileState } from './files.ts';

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
  /** Only what was touched: what is missing may well be there. */
  partial: boolean;
  /** The workspace's clock when the listing began, in ns; `null` when it could not be read. */
  at: bigint | null;
}

/**
 * Reads the whole tree, or where find(1) can do it only what was touched. A listing that failed is never returned in part, since what is missing
 * would read as deleted: folders the agent closed to itself are opened again, then it is repeated.
 * @throws VivariumError `workspace_failed`
 */
export async function listTree(
  state: FileState,
  since: bigint,
  scope: 'all' | 'touched' = 'all',
): Promise<Listing> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const listing = await tryList(state, since, scope);
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
    channel.request({
      code: `vv_open_up ${shellWord(state.root)}`,
      silenceMs: FILE_SILENCE_MS,
    }),
  );
}

async function tryList(
  state: FileState,
  since: bigint,
  scope: 'all' | 'touched',
): Promise<Listing | undefined> {
  const code = `vv_tree ${shellWord(state.root)} ${formatTime(since)} ${newId(12)} ${scope}`;
  return state.withChannel(async (channel) => {
    const names = boundedChunks(MAX_LISTING_BYTES, () => channel.destroy());
    const facts = boundedChunks(MAX_LISTING_BYTES, () => channel.destroy());
    const status = await channel.request({
      code,
      silenceMs: FILE_SILENCE_MS,
      onStdout: names.push,
      onStderr: facts.push,
    });
    if (!status.startsWith('ok')) return undefined;
    const entries = channel.hasGnuFind
      ? parseFind(names.bytes())
      : parseStat(names.bytes(), facts.bytes().toString('latin1'), since);
    if (!entries) return undefined;
    const partial = scope === 'touched' && channel.hasGnuFind;
    return { entries, partial, at: parseTime(status.slice(3)) };
  });
}

/**
 * Records of our find(1) format: mark, type, octal mode, size, inode, name, NUL. Cut by position,
 * not by pattern: there can be hundreds of thousands.
 */
function parseFind(bytes: Buffer): ListedEntry[] | undefined {
  const entries: ListedEntry[] = [];
  for (const { text, valid } of splitNul(bytes)) {
    const afterMode = text.indexOf(' ');
    const afterSize = text.indexOf(' ', afterMode + 1);
    const afterInode = text.indexOf(' ', afterSize + 1);
    const name = text.slice(afterInode + 1);
    const size = Number(text.slice(afterMode + 1, afterSize));
    const mode = Number.parseInt(text.slice(2, afterMode), 8);
    if (afterMode < 3 || afterSize < 0 || afterInode < 0) return undefined;
    if (!Number.isSafeInteger(size) || !Number.isInteger(mode)) return undefined;
    entries.push({
      path: valid ? name : null,
      shown: name,
      type: text.charAt(1),
      mode,
      size,
      inode: text.slice(afterSize + 1, afterInode),
      touched: text.startsWith('C'),
      isGit: text.startsWith('G'),
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
    const match = /^([0-9a-f]+) (\d+) (\d+) (.+)$/.exec(lines[index] ?? '');
    const changedAt = parseTime(match?.[4] ?? '');
    if (!match || changedAt === null || !record.text.startsWith('./')) return undefined;
    const mode = Number.parseInt(match[1] ?? '', 16);
    const name = record.text.slice(2);
    entries.push({
      path: record.valid ? name : null,
      shown: name,
      type: TYPE_LETTERS[mode & TYPE_MASK] ?? 'o',
      mode: mode & 0o7777,
      size: Number(match[2]),
      inode: match[3] ?? '',
      touched: changedAt > since,
      isGit: name === '.git' || name.endsWith('/.git'),
    });
  }
  return entries;
}

/** Texts between NULs; whatever follows the last one was cut off and is left out. */
function splitNul(bytes: Buffer): { text: string; valid: boolean }[] {
  // One check and one decoding for all, in the usual case.
  if (isUtf8(bytes)) {
    return bytes
      .toString('utf8')
      .split('\0')
      .slice(0, -1)
      .map((text) => ({ text, valid: true }));
  }
  const records: { text: string; valid: boolean }[] = [];
  for (let at = 0, end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, at)) {
    const part = bytes.subarray(at, end);
    records.push({ text: part.toString('utf8'), valid: isUtf8(part) });
    at = end + 1;
  }
  return records;
}

/**
 * stat(1)'s `2026-11-29 19:00:32.150428871 +0000` to ns since 1970; it is asked for in UTC. find(1),
 * made to print the same, has a tenth digit that is always 0.
 */
function parseTime(text: string): bigint | null {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,9})0?)? \+0000$/.exec(text.trim());
  if (!match) return null;
  const seconds = Date.parse(`${match[1]}T${match[2]}Z`) / 1000;
  return BigInt(seconds) * NANOSECONDS + BigInt((match[3] ?? '').padEnd(9, '0'));
}

function formatTime(time: bigint): string {
  return `${time / NANOSECONDS}.${String(time % NANOSECONDS).padStart(9, '0')}`;
}
