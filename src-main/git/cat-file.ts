import { streamGit } from './run.ts';
import type { GitOptions } from './run.ts';

/**
 * Contents of objects in the order of their ids; `undefined` for one that is not there.
 * One process however many; one object in memory at a time.
 */
export async function* objectContents(
  ids: Iterable<string>,
  options: GitOptions,
): AsyncGenerator<Uint8Array | undefined, void, undefined> {
  const output = streamGit(['cat-file', '--batch', '--buffer'], { ...options, input: lines(ids) });
  const reader = new ByteReader(output);
  try {
    for (let header = await reader.line(); header !== undefined; header = await reader.line()) {
      const [, kind, size] = header.split(' ');
      if (kind === 'missing') {
        yield undefined;
        continue;
      }
      if (size === undefined) throw new Error('unexpected output of git cat-file');
      const content = await reader.take(Number(size) + 1);
      yield content.subarray(0, -1);
    }
  } finally {
    await output.return();
  }
}

const IDS_PER_CHUNK = 500;

async function* lines(ids: Iterable<string>): AsyncGenerator<Uint8Array, void, undefined> {
  let batch: string[] = [];
  for (const id of ids) {
    batch.push(id);
    if (batch.length < IDS_PER_CHUNK) continue;
    yield Buffer.from(`${batch.join('\n')}\n`);
    batch = [];
  }
  if (batch.length > 0) yield Buffer.from(`${batch.join('\n')}\n`);
}

/** Takes lines and exact numbers of bytes from a stream of chunks. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The next line without its end; `undefined` at the end of the stream. */
  async line(): Promise<string | undefined> {
    for (;;) {
      const end = this.#held.indexOf(10);
      if (end !== -1) {
        const line = this.#held.subarray(0, end).toString('latin1');
        this.#held = this.#held.subarray(end + 1);
        return line;
      }
      const next = await this.#chunks.next();
      if (next.done === true) {
        if (this.#held.length > 0) throw new Error('output of git ended in the middle of a line');
        return undefined;
      }
      this.#held = Buffer.concat([this.#held, next.value]);
    }
  }

  /** Exactly that many bytes, as a buffer of their own. */
  async take(length: number): Promise<Buffer> {
    const taken = Buffer.allocUnsafeSlow(length);
    let filled = 0;
    for (;;) {
      const part = this.#held.subarray(0, length - filled);
      taken.set(part, filled);
      filled += part.length;
      this.#held = this.#held.subarray(part.length);
      if (filled === length) return taken;
      const next = await this.#chunks.next();
      if (next.done === true) throw new Error('output of git ended in the middle of an object');
      this.#held = next.value;
    }
  }
}
