const BLOCK = 512;
/** Names and links of the kernel end long before. */
const MAX_HEADER_BYTES = 1 << 20;

/** One entry as an archive tells it; nothing of it has been checked. */
export interface ReadTarEntry {
  /** As written, without the `/` that a folder ends with. */
  path: Buffer;
  kind: 'file' | 'folder' | 'symlink' | 'hardlink' | 'other';
  mode: number;
  /** Target of a link. */
  link: Buffer;
  size: number;
  /** Bytes of a file; `null` for all others, and where it is larger than asked for. */
  content: Buffer | null;
}

/** What comes before an entry for what its own header has no room for. */
interface Told {
  path?: Buffer;
  link?: Buffer;
  size?: number;
}

/**
 * Reads a plain tar (ustar, GNU long names, pax) entry by entry as hostile data: at most one file
 * and one block in memory. A file of more than `maxFileBytes` is passed over with its size.
 * @throws Error for bytes that are no tar, or are cut off.
 */
export async function* readTar(
  source: AsyncIterable<Uint8Array>,
  { maxFileBytes }: { maxFileBytes: number },
): AsyncGenerator<ReadTarEntry, void, undefined> {
  const input = new ByteInput(source);
  let told: Told = {};
  for (;;) {
    const block = await input.take(BLOCK);
    if (block.every((byte) => byte === 0)) return;
    checkSum(block);
    const type = String.fromCharCode(block[156] ?? 0);
    const size = told.size ?? number(block, 124, 12);
    if ('xLKg'.includes(type)) {
      if (size > MAX_HEADER_BYTES) throw new Error('A name in the archive is too long.');
      const bytes = await takePadded(input, size);
      if (type === 'x') Object.assign(told, paxFacts(bytes));
      if (type === 'L') told.path = untilNul(bytes);
      if (type === 'K') told.link = untilNul(bytes);
      continue;
    }
    const kind = KINDS[type] ?? 'other';
    const path = told.path ?? nameOf(block);
    const link = told.link ?? untilNul(block.subarray(157, 257));
    told = {};
    const kept = kind === 'file' && size <= maxFileBytes;
    const content = kept ? await takePadded(input, size) : null;
    if (!kept) await input.skip(padded(size));
    yield { path: bare(path), kind, mode: number(block, 100, 8), link, size, content };
  }
}

const KINDS: Readonly<Record<string, ReadTarEntry['kind']>> = {
  '\0': 'file',
  '0': 'file',
  '7': 'file',
  '1': 'hardlink',
  '2': 'symlink',
  '5': 'folder',
};

function padded(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}

async function takePadded(input: ByteInput, size: number): Promise<Buffer> {
  return (await input.take(padded(size))).subarray(0, size);
}

function untilNul(bytes: Buffer): Buffer {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

function bare(path: Buffer): Buffer {
  let end = path.length;
  while (end > 0 && path[end - 1] === 0x2f) end -= 1;
  return path.subarray(0, end);
}

function nameOf(block: Buffer): Buffer {
  const name = untilNul(block.subarray(0, 100));
  const isUstar = block.toString('latin1', 257, 263) === 'ustar\0';
  const prefix = isUstar ? untilNul(block.subarray(345, 500)) : Buffer.alloc(0);
  return prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.from('/'), name]);
}

/** Octal text, or GNU's big-endian form for what does not fit. */
function number(block: Buffer, at: number, length: number): number {
  const field = block.subarray(at, at + length);
  const value =
    ((field[0] ?? 0) & 0x80) === 0
      ? Number.parseInt(untilNul(field).toString('latin1').trim() || '0', 8)
      : field.reduce((sum, byte, index) => sum * 256 + (index === 0 ? byte & 0x7f : byte), 0);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new Error('The archive holds a number that is none.');
}

function checkSum(block: Buffer): void {
  const said = number(block, 148, 8);
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (sum !== said) throw new Error('It is no tar archive, or a damaged one.');
}

/** Records `LENGTH KEY=VALUE\n`; a key that is told twice counts as told last. */
function paxFacts(bytes: Buffer): Told {
  const facts: Told = {};
  for (let at = 0; at < bytes.length;) {
    const blank = bytes.indexOf(0x20, at);
    const length = Number(bytes.toString('latin1', at, blank));
    const equals = bytes.indexOf(0x3d, blank);
    if (blank < 0 || equals < 0 || !Number.isInteger(length) || length < equals - at) {
      throw new Error('The archive holds a record that is none.');
    }
    const key = bytes.toString('latin1', blank + 1, equals);
    const value = bytes.subarray(equals + 1, at + length - 1);
    if (key === 'path') facts.path = value;
    if (key === 'linkpath') facts.link = value;
    if (key === 'size') facts.size = Number(value.toString('latin1'));
    at += length;
  }
  if (facts.size !== undefined && !(Number.isSafeInteger(facts.size) && facts.size >= 0)) {
    throw new Error('The archive holds a number that is none.');
  }
  return facts;
}

/** Exact numbers of bytes out of chunks of any size. */
class ByteInput {
  private held: Uint8Array[] = [];
  private bytes = 0;
  private readonly source: AsyncIterator<Uint8Array>;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.source = source[Symbol.asyncIterator]();
  }

  async take(count: number): Promise<Buffer> {
    while (this.bytes < count) await this.more();
    const [first] = this.held;
    const all =
      this.held.length === 1 && first !== undefined
        ? Buffer.from(first.buffer, first.byteOffset, first.byteLength)
        : Buffer.concat(this.held);
    this.held = [all.subarray(count)];
    this.bytes -= count;
    return all.subarray(0, count);
  }

  async skip(count: number): Promise<void> {
    let left = count;
    while (left > this.bytes) {
      left -= this.bytes;
      this.held = [];
      this.bytes = 0;
      await this.more();
    }
    await this.take(left);
  }

  private async more(): Promise<void> {
    const next = await this.source.next();
    if (next.done === true) throw new Error('The archive is cut off.');
    this.held.push(next.value);
    this.bytes += next.value.length;
  }
}
