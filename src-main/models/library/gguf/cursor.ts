import { damaged } from '../invalid.ts';
import type { PiecewiseFile } from '../read-at.ts';

/** Headers of real models have 30 MB at most; more is a forged length. */
const MAX_HEADER_BYTES = 256 * 2 ** 20;
const WINDOW_BYTES = 1 << 20;
/** A chat template has some 10 KB; longer texts than this are passed over. */
const MAX_TEXT_BYTES = 4 * 2 ** 20;

/**
 * Reads a header from front to back through a window of a megabyte, so that a forged length can
 * cost no memory. Every read is checked against the end of the file.
 */
export interface Cursor {
  at(): number;
  /** Awaited only when the window has to move: most values are read without leaving the loop. */
  ensure(bytes: number): Promise<void> | undefined;
  /** The next bytes, of which `ensure` was awaited. */
  take(bytes: number): Buffer;
  skip(bytes: number): void;
  u32(): Promise<number>;
  u64(): Promise<number>;
  /** A text with its length in front; `null` for one that is too long to keep. */
  text(): Promise<string | null>;
}

export function openCursor(file: PiecewiseFile): Cursor {
  const limit = Math.min(file.bytes, MAX_HEADER_BYTES);
  let window: Buffer = Buffer.alloc(0);
  let windowStart = 0;
  let position = 0;

  const check = (bytes: number): void => {
    if (position + bytes <= limit) return;
    throw damaged(
      file.path,
      limit === file.bytes ? 'it ends within its header' : 'its header has no end',
    );
  };
  const refill = async (bytes: number): Promise<void> => {
    window = await file.readUpTo(position, Math.max(bytes, WINDOW_BYTES));
    windowStart = position;
    if (window.length < bytes) throw damaged(file.path, 'it became shorter while it was read');
  };
  const cursor: Cursor = {
    at: () => position,
    ensure(bytes) {
      check(bytes);
      const end = windowStart + window.length;
      return position >= windowStart && position + bytes <= end ? undefined : refill(bytes);
    },
    take(bytes) {
      const from = position - windowStart;
      position += bytes;
      return window.subarray(from, from + bytes);
    },
    skip(bytes) {
      check(bytes);
      position += bytes;
    },
    async u32() {
      await cursor.ensure(4);
      return cursor.take(4).readUInt32LE();
    },
    async u64() {
      await cursor.ensure(8);
      return safe(file.path, cursor.take(8).readBigUInt64LE());
    },
    async text() {
      const length = await cursor.u64();
      if (length > MAX_TEXT_BYTES) {
        cursor.skip(length);
        return null;
      }
      await cursor.ensure(length);
      return cursor.take(length).toString('utf8');
    },
  };
  return cursor;
}

function safe(path: string, value: bigint): number {
  if (value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
  throw damaged(path, 'its header states an impossible size');
}
