import { readPartHeader } from './part-header.ts';
import type { PartHeader } from './part-header.ts';
import { patchInvalid } from './patch-invalid.ts';

/** One hunk as it stands in the patch. */
export interface PatchHunk {
  /** The `@@` line, decoded leniently. */
  header: string;
  oldStart: number;
  oldCount: number;
  newStart: number;
  newCount: number;
  insertions: number;
  deletions: number;
  /** The hunk with its `@@` line and every line end. */
  bytes: Uint8Array;
}

/** What a patch does to one file. All parts in order, joined, are the patch again, byte for byte. */
export interface PatchPart {
  path: string;
  /** Before a rename. */
  oldPath: string | null;
  status: 'added' | 'modified' | 'deleted' | 'renamed';
  kind: 'text' | 'binary' | 'symlink' | 'mode';
  /** `null` for binaries. */
  insertions: number | null;
  deletions: number | null;
  /**
   * Can only be taken or left as a whole: what makes, removes, moves or retypes a file is not in its
   * hunks, and half of a new or removed file is no state anybody proposed.
   */
  whole: boolean;
  /** For `whole` parts what git's own lines say of it, such as `new file mode 100644`. */
  about: string;
  bytes: Uint8Array;
  /** What stands before the first hunk; everything where there is none. */
  head: Uint8Array;
  hunks: PatchHunk[];
}

const FILE_START = Buffer.from('diff --git ');
const HUNK_START = Buffer.from('@@ ');
const LINK = '120000';

/**
 * Splits a git patch into files and hunks without touching a byte: any encoding, CRLF, no final line
 * end, binaries, renames, modes, quoted names. Throws `patch_invalid` for anything else.
 */
export function splitPatch(patch: Uint8Array): PatchPart[] {
  const reader = lineReader(patch);
  const entries: Entry[] = [];
  while (!reader.atEnd()) entries.push(readEntry(reader));
  return merged(entries).map(partOf);
}

/** One `diff --git`; a file that becomes a link has two, one after the other. */
interface Entry {
  header: PartHeader;
  bytes: Uint8Array;
  head: Uint8Array;
  hunks: PatchHunk[];
}

interface LineReader {
  at(): number;
  atEnd(): boolean;
  /** Whether the line that follows begins like this. */
  begins(start: Uint8Array): boolean;
  /** The line without its line feed. */
  next(): Uint8Array;
  since(start: number): Uint8Array;
}

function lineReader(bytes: Uint8Array): LineReader {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  return {
    at: () => at,
    atEnd: () => at >= buffer.length,
    begins: (start) => start.every((byte, index) => buffer[at + index] === byte),
    next() {
      const feed = buffer.indexOf(10, at);
      const end = feed === -1 ? buffer.length : feed;
      const line = buffer.subarray(at, end);
      at = end + 1;
      return line;
    },
    since: (start) => buffer.subarray(start, at),
  };
}

function readEntry(reader: LineReader): Entry {
  const start = reader.at();
  if (!reader.begins(FILE_START)) throw patchInvalid();
  const lines = [reader.next()];
  while (!reader.atEnd() && !reader.begins(FILE_START) && !reader.begins(HUNK_START)) {
    lines.push(reader.next());
  }
  const header = readPartHeader(lines);
  const head = reader.since(start);
  const hunks: PatchHunk[] = [];
  while (reader.begins(HUNK_START)) hunks.push(readHunk(reader));
  return { header, head, hunks, bytes: reader.since(start) };
}

const RANGE = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const text = new TextDecoder('utf-8', { ignoreBOM: true });

function readHunk(reader: LineReader): PatchHunk {
  const start = reader.at();
  const line = reader.next();
  const range = RANGE.exec(Buffer.from(line.subarray(0, 200)).toString('latin1'));
  if (range === null) throw patchInvalid();
  const [oldStart, oldCount, newStart, newCount] = [1, 2, 3, 4].map((at) => Number(range[at] ?? 1));
  let oldLeft = oldCount ?? 0;
  let newLeft = newCount ?? 0;
  let context = 0;
  while (oldLeft > 0 || newLeft > 0) {
    if (reader.atEnd()) throw patchInvalid();
    const sign = reader.next()[0];
    if (sign === BACKSLASH) continue;
    if (sign !== PLUS && sign !== MINUS && sign !== BLANK) throw patchInvalid();
    if (sign !== PLUS) oldLeft -= 1;
    if (sign !== MINUS) newLeft -= 1;
    if (sign === BLANK) context += 1;
  }
  if (oldLeft < 0 || newLeft < 0) throw patchInvalid();
  while (reader.begins(NO_NEWLINE)) reader.next();
  return {
    header: text.decode(line),
    oldStart: oldStart ?? 0,
    oldCount: oldCount ?? 0,
    newStart: newStart ?? 0,
    newCount: newCount ?? 0,
    insertions: (newCount ?? 0) - context,
    deletions: (oldCount ?? 0) - context,
    bytes: reader.since(start),
  };
}

const [PLUS, MINUS, BLANK, BACKSLASH] = [43, 45, 32, 92];
const NO_NEWLINE = Buffer.from('\\ ');

/** A change of type stands as a removal and a creation of the same name: one thing for people. */
function merged(entries: readonly Entry[]): Entry[][] {
  const groups: Entry[][] = [];
  for (const entry of entries) {
    const before = groups.at(-1);
    if (before?.[0]?.header.path === entry.header.path) before.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

function partOf(entries: readonly Entry[]): PatchPart {
  const [first] = entries;
  if (first === undefined) throw patchInvalid();
  const { header } = first;
  const hunks = entries.flatMap((entry) => entry.hunks);
  const binary = entries.some((entry) => entry.header.binary);
  const sum = (key: 'insertions' | 'deletions') =>
    binary ? null : hunks.reduce((total, hunk) => total + hunk[key], 0);
  const kind = kindOf(entries, binary);
  const single = entries.length === 1;
  const plain = kind === 'text' && header.status === 'modified' && hunks.length > 0;
  return {
    path: header.path,
    oldPath: header.oldPath,
    status: single ? header.status : 'modified',
    kind,
    insertions: sum('insertions'),
    deletions: sum('deletions'),
    whole: !(single && plain && header.about.length === 0),
    about: entries.flatMap((entry) => entry.header.about).join(', '),
    bytes: Buffer.concat(entries.map((entry) => entry.bytes)),
    head: single ? first.head : Buffer.concat(entries.map((entry) => entry.bytes)),
    hunks,
  };
}

function kindOf(entries: readonly Entry[], binary: boolean): PatchPart['kind'] {
  if (binary) return 'binary';
  const modes = entries.flatMap(({ header }) => [header.oldMode, header.newMode]);
  if (modes.includes(LINK)) return 'symlink';
  const [only] = entries;
  const modeOnly = only?.header.status === 'modified' && only.hunks.length === 0;
  return modeOnly ? 'mode' : 'text';
}
