import type { CapturedOutput } from '../types.ts';

/** Collects a stream of any length in bounded memory: its first and its last bytes. */
export class BoundedOutput {
  private readonly headParts: Buffer[] = [];
  private headLength = 0;
  private tailParts: Buffer[] = [];
  private tailLength = 0;
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
    if (chunk.length > room) this.keepTail(room > 0 ? chunk.subarray(room) : chunk);
  }

  private keepHead(part: Buffer): void {
    // A copy: a small slice would keep the whole network buffer alive.
    this.headParts.push(Buffer.from(part));
    this.headLength += part.length;
  }

  private keepTail(part: Buffer): void {
    this.tailParts.push(Buffer.from(part.subarray(-this.tailMax || part.length)));
    this.tailLength += this.tailParts.at(-1)?.length ?? 0;
    if (this.tailLength > 2 * this.tailMax + 65_536) this.trimTail();
  }

  private trimTail(): void {
    const all = Buffer.concat(this.tailParts);
    const kept = this.tailMax === 0 ? Buffer.alloc(0) : Buffer.from(all.subarray(-this.tailMax));
    this.tailParts = [kept];
    this.tailLength = kept.length;
  }

  result(): CapturedOutput {
    this.trimTail();
    return {
      head: Buffer.concat(this.headParts),
      tail: this.tailParts[0] ?? Buffer.alloc(0),
      totalBytes: this.total,
    };
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
