import type { CapturedOutput } from '../types.ts';

const FIRST_HEAD_BYTES = 4096;

/** Collects a stream of any length in bounded memory: its first and its last bytes. */
export class BoundedOutput {
  private head: Buffer = Buffer.alloc(0);
  private headLength = 0;
  /** The last bytes, as a ring: a flood costs copying, but no memory. */
  private ring: Buffer = Buffer.alloc(0);
  private ringAt = 0;
  private tailBytes = 0;
  private total = 0;
  private readonly headMax: number;
  private readonly tailMax: number;

  constructor(keep: { head: number; tail: number }) {
    this.headMax = keep.head;
    this.tailMax = keep.tail;
  }

  push(chunk: Buffer): void {
    this.total += chunk.length;
    const room = this.headMax - this.headLength;
    if (room > 0) this.keepHead(chunk.subarray(0, room));
    if (chunk.length > room) this.keepTail(chunk.subarray(room));
  }

  private keepHead(part: Buffer): void {
    const needed = this.headLength + part.length;
    if (needed > this.head.length) {
      const size = Math.max(needed, 2 * this.head.length, FIRST_HEAD_BYTES);
      const larger = Buffer.allocUnsafe(Math.min(size, this.headMax));
      this.head.copy(larger, 0, 0, this.headLength);
      this.head = larger;
    }
    part.copy(this.head, this.headLength);
    this.headLength = needed;
  }

  private keepTail(part: Buffer): void {
    this.tailBytes += part.length;
    if (this.tailMax === 0) return;
    if (this.ring.length === 0) this.ring = Buffer.allocUnsafe(this.tailMax);
    const last = part.subarray(-this.tailMax);
    const copied = last.copy(this.ring, this.ringAt);
    last.copy(this.ring, 0, copied);
    this.ringAt = (this.ringAt + last.length) % this.tailMax;
  }

  result(): CapturedOutput {
    // Copies: what is handed out must not change, nor keep a larger buffer alive.
    return {
      head: Buffer.from(this.head.subarray(0, this.headLength)),
      tail: this.tail(),
      totalBytes: this.total,
    };
  }

  private tail(): Buffer {
    if (this.tailBytes < this.tailMax) return Buffer.from(this.ring.subarray(0, this.tailBytes));
    return Buffer.concat([this.ring.subarray(this.ringAt), this.ring.subarray(0, this.ringAt)]);
  }
}

/** Collects everything up to a limit; beyond it nothing is kept and `onExcess` is called. */
export function boundedChunks(
  maxBytes: number,
  onExcess: () => void,
): { push: (chunk: Buffer) => void; bytes: () => Buffer } {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    push: (chunk) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else onExcess();
    },
    bytes: () => Buffer.concat(chunks),
  };
}
