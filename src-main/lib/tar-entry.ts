const BLOCK = 512;
const TYPES = { '100644': '0', '100755': '0', '120000': '2', '40000': '5' } as const;
const MODES = { '100644': 0o644, '100755': 0o755, '120000': 0o777, '40000': 0o755 } as const;

export interface TarEntry {
  /** Relative, `/` between parts; the caller has checked it. */
  path: string;
  /** Git modes; of a symlink the content is its target, of a folder it is not looked at. */
  mode: '100644' | '100755' | '120000' | '40000';
  content: Uint8Array;
}

/** What a tar says of every entry alike. */
export interface TarStamp {
  /** User and group. */
  owner: number;
  /** Time of change, seconds since 1970. */
  seconds: number;
}

/** What a tar ends with. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

/** Blocks of one entry of an uncompressed tar (ustar, with pax records where a name needs them). */
export function tarEntry(entry: TarEntry, stamp: TarStamp): Buffer[] {
  if (entry.mode === '40000') return header(`${entry.path}/`, entry.mode, 0, EMPTY, stamp);
  const content = Buffer.from(entry.content.buffer, entry.content.byteOffset, entry.content.length);
  if (entry.mode === '120000') return header(entry.path, entry.mode, 0, content, stamp);
  return [
    ...header(entry.path, entry.mode, content.length, EMPTY, stamp),
    content,
    padding(content.length),
  ];
}

const EMPTY = Buffer.alloc(0);

function padding(length: number): Buffer {
  return Buffer.alloc((BLOCK - (length % BLOCK)) % BLOCK);
}

function header(
  path: string,
  mode: TarEntry['mode'],
  size: number,
  target: Buffer,
  stamp: TarStamp,
): Buffer[] {
  const name = Buffer.from(path);
  const plain = name.length <= 100 && target.length <= 100 && isAscii(name) && isAscii(target);
  const main = headerBlock({ name, type: TYPES[mode], mode: MODES[mode], size, target }, stamp);
  if (plain) return [main];
  const records = Buffer.concat([paxRecord('path', name), paxRecord('linkpath', target)]);
  const pax = headerBlock(
    { name: Buffer.from('pax'), type: 'x', mode: 0o644, size: records.length, target: EMPTY },
    stamp,
  );
  return [pax, records, padding(records.length), main];
}

function isAscii(bytes: Buffer): boolean {
  return bytes.every((byte) => byte < 0x80);
}

/** `LENGTH KEY=VALUE\n`, where LENGTH counts itself. */
function paxRecord(key: string, value: Buffer): Buffer {
  if (value.length === 0) return EMPTY;
  const rest = key.length + value.length + 3;
  let length = rest + String(rest).length;
  length = rest + String(length).length;
  return Buffer.concat([Buffer.from(`${length} ${key}=`), value, Buffer.from('\n')]);
}

interface Header {
  name: Buffer;
  type: string;
  mode: number;
  size: number;
  target: Buffer;
}

function headerBlock({ name, type, mode, size, target }: Header, stamp: TarStamp): Buffer {
  const block = Buffer.alloc(BLOCK);
  name.copy(block, 0, 0, 100);
  octal(block, 100, 8, mode);
  octal(block, 108, 8, stamp.owner);
  octal(block, 116, 8, stamp.owner);
  octal(block, 124, 12, size);
  octal(block, 136, 12, stamp.seconds);
  block.write(type, 156, 'latin1');
  target.copy(block, 157, 0, 100);
  block.write('ustar\u000000', 257, 'latin1');
  block.fill(' ', 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

function octal(block: Buffer, at: number, length: number, value: number): void {
  block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
}
