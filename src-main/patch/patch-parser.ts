import { unquotePath } from '../git/index.ts';
import { patchInvalid } from './patch-invalid.ts';

/** One line of a hunk. */
export interface PatchLine {
  sign: '+' | '-' | ' ';
  /** Line number in the new file; for a removed line that of the line that follows it. */
  line: number;
  /** Without the line end; bytes that are not UTF-8 are U+FFFD. */
  text: string;
}

/** What a patch says of one path. */
export interface ParsedFile {
  path: string;
  status: 'added' | 'modified' | 'deleted';
  /** `undefined` for an added file. */
  oldMode: string | undefined;
  /** `undefined` for a deleted file. */
  newMode: string | undefined;
  binary: boolean;
  /** Size of the binary content or difference as stated; 0 for text. */
  binaryBytes: number;
  lines: PatchLine[];
}

const text = new TextDecoder('utf-8', { ignoreBOM: true });
const FILE_START = 'diff --git ';

/**
 * Reads a patch as our own git writes it (`diff --git`, no renames). Throws `patch_invalid` for
 * anything else.
 */
export function parsePatch(bytes: Uint8Array): ParsedFile[] {
  const reader = lineReader(bytes);
  const files: ParsedFile[] = [];
  for (let line = reader.next(); line !== undefined; line = reader.next()) {
    const header = latin1(line);
    if (!header.startsWith(FILE_START)) throw patchInvalid();
    files.push(readFile(pathOf(line), reader));
  }
  return files;
}

interface LineReader {
  next(): Uint8Array | undefined;
  peek(): Uint8Array | undefined;
}

function lineReader(bytes: Uint8Array): LineReader {
  let start = 0;
  const peek = (): Uint8Array | undefined => {
    if (start >= bytes.length) return undefined;
    const feed = bytes.indexOf(10, start);
    return bytes.subarray(start, feed === -1 ? bytes.length : feed);
  };
  return {
    peek,
    next() {
      const line = peek();
      if (line !== undefined) start += line.length + 1;
      return line;
    },
  };
}

function readFile(path: string, reader: LineReader): ParsedFile {
  const file: ParsedFile = {
    path,
    status: 'modified',
    oldMode: undefined,
    newMode: undefined,
    binary: false,
    binaryBytes: 0,
    lines: [],
  };
  for (let line = reader.peek(); line !== undefined; line = reader.peek()) {
    const header = latin1(line.subarray(0, 300));
    if (header.startsWith(FILE_START)) break;
    reader.next();
    if (header.startsWith('@@ ')) readHunk(file, header, reader);
    else readHeader(file, header);
  }
  return file;
}

function readHeader(file: ParsedFile, header: string): void {
  const mode = /^(old mode|new mode|new file mode|deleted file mode) (\d{6})$/.exec(header);
  if (mode !== null) {
    const [, kind, value] = mode;
    if (kind === 'old mode' || kind === 'deleted file mode') file.oldMode = value;
    else file.newMode = value;
    if (kind === 'new file mode') file.status = 'added';
    if (kind === 'deleted file mode') file.status = 'deleted';
    return;
  }
  const index = /^index [0-9a-f]+\.\.[0-9a-f]+ (\d{6})$/.exec(header);
  if (index !== null) {
    file.oldMode = index[1];
    file.newMode = index[1];
    return;
  }
  if (header === 'GIT binary patch') file.binary = true;
  // The first size is that of the new content; the second belongs to the way back.
  const size = /^(?:literal|delta) (\d+)$/.exec(header);
  if (size !== null && file.binary && file.binaryBytes === 0) file.binaryBytes = Number(size[1]);
}

function readHunk(file: ParsedFile, header: string, reader: LineReader): void {
  const range = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(header);
  if (range === null) throw patchInvalid();
  let oldLeft = Number(range[1] ?? 1);
  let newLeft = Number(range[3] ?? 1);
  let line = Number(range[2]);
  while (oldLeft > 0 || newLeft > 0) {
    const raw = reader.next();
    const sign = String.fromCharCode(raw?.[0] ?? 0);
    if (raw === undefined) throw patchInvalid();
    if (sign === '\\') continue;
    if (sign !== '+' && sign !== '-' && sign !== ' ') throw patchInvalid();
    file.lines.push({ sign, line, text: text.decode(raw.subarray(1)) });
    if (sign !== '+') oldLeft -= 1;
    if (sign !== '-') {
      newLeft -= 1;
      line += 1;
    }
  }
}

/** `a/X b/X`, or both quoted: the same name twice, so its length tells where it ends. */
function pathOf(line: Uint8Array): string {
  const names = line.subarray(FILE_START.length);
  if (names[0] === 34) {
    const unquoted = unquotePath(names, 0);
    if (unquoted === undefined) throw patchInvalid();
    return nameIn(unquoted.name);
  }
  if (names.length % 2 === 0) throw patchInvalid();
  return nameIn(names.subarray(0, (names.length - 1) / 2));
}

function nameIn(prefixed: Uint8Array): string {
  const path = text.decode(prefixed);
  if (!path.startsWith('a/')) throw patchInvalid();
  return path.slice(2);
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
