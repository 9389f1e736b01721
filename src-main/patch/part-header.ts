import { unquotePath } from '../git/index.ts';
import { patchInvalid } from './patch-invalid.ts';

/** What the lines before the first hunk say of one `diff --git`. */
export interface PartHeader {
  path: string;
  /** Before a rename or copy. */
  oldPath: string | null;
  status: 'added' | 'modified' | 'deleted' | 'renamed';
  /** Modes as stated; `undefined` where no line states them. */
  oldMode: string | undefined;
  newMode: string | undefined;
  binary: boolean;
  /** Lines that say more than where the text is: modes, names, binary content. */
  about: string[];
}

const FILE_START = 'diff --git ';
const text = new TextDecoder('utf-8', { ignoreBOM: true });

/** Reads the head of a part, `diff --git` line first. Throws `patch_invalid`. */
export function readPartHeader(lines: readonly Uint8Array[]): PartHeader {
  const [first, ...others] = lines;
  if (first === undefined) throw patchInvalid();
  const header: PartHeader = {
    path: '',
    oldPath: null,
    status: 'modified',
    oldMode: undefined,
    newMode: undefined,
    binary: false,
    about: [],
  };
  const names: { from?: string; to?: string; isRename?: boolean } = {};
  for (const line of others) {
    if (header.binary) break;
    readLine(header, names, line);
  }
  if (names.to === undefined) return { ...header, path: sameNameOf(first) };
  header.path = names.to;
  header.oldPath = names.from ?? null;
  header.status = names.isRename === true ? 'renamed' : 'added';
  return header;
}

function readLine(
  header: PartHeader,
  names: { from?: string; to?: string; isRename?: boolean },
  line: Uint8Array,
): void {
  const words = Buffer.from(line.subarray(0, 200)).toString('latin1');
  const mode = /^(old mode|new mode|new file mode|deleted file mode) (\d{6})$/.exec(words);
  if (mode !== null) {
    const [, kind, value] = mode;
    if (kind === 'old mode' || kind === 'deleted file mode') header.oldMode = value;
    else header.newMode = value;
    if (kind === 'new file mode') header.status = 'added';
    if (kind === 'deleted file mode') header.status = 'deleted';
    header.about.push(words);
    return;
  }
  const index = /^index [0-9a-f]+\.\.[0-9a-f]+ (\d{6})$/.exec(words);
  if (index !== null) {
    header.oldMode ??= index[1];
    header.newMode ??= index[1];
    return;
  }
  const move = /^(rename|copy) (from|to) /.exec(words);
  if (move !== null) {
    const [start, verb, end] = move;
    const name = nameAt(line.subarray(start.length));
    if (end === 'from') names.from = name;
    else names.to = name;
    names.isRename = verb === 'rename';
    header.about.push(text.decode(line));
    return;
  }
  if (words === 'GIT binary patch' || /^Binary files .* differ$/.test(words)) {
    header.binary = true;
    header.about.push('GIT binary patch');
  }
}

function nameAt(bytes: Uint8Array): string {
  if (bytes[0] !== 34) return text.decode(bytes);
  const unquoted = unquotePath(bytes, 0);
  if (unquoted === undefined) throw patchInvalid();
  return text.decode(unquoted.name);
}

/** `a/X b/X`, or both quoted: the same name twice, so its length tells where it ends. */
function sameNameOf(line: Uint8Array): string {
  const names = line.subarray(FILE_START.length);
  if (names[0] === 34) return withoutPrefix('a/', nameAt(names));
  const middle = (names.length - 1) / 2;
  if (!Number.isInteger(middle)) throw patchInvalid();
  const path = withoutPrefix('a/', nameAt(names.subarray(0, middle)));
  if (withoutPrefix('b/', nameAt(names.subarray(middle + 1))) !== path) throw patchInvalid();
  return path;
}

function withoutPrefix(prefix: string, name: string): string {
  if (!name.startsWith(prefix)) throw patchInvalid();
  return name.slice(prefix.length);
}
