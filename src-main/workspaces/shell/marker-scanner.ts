const NEWLINE = 0x0a;
/** A status is a few numbers; more than this means that the stream is not ours any more. */
const MAX_STATUS_BYTES = 65_536;

/**
 * Finds the end marker of a request in a stream of arbitrary bytes. Everything before the marker
 * goes to the sink, byte for byte; what follows it up to the line end is the status.
 */
export class MarkerScanner {
  status: string | undefined;
  private held: Buffer = Buffer.alloc(0);
  private statusBytes: Buffer | undefined;
  private readonly marker: Buffer;
  private readonly sink: (chunk: Buffer) => void;

  constructor(marker: Buffer, sink: (chunk: Buffer) => void) {
    this.marker = marker;
    this.sink = sink;
  }

  push(chunk: Buffer): void {
    if (this.status !== undefined) return;
    if (this.statusBytes) return this.readStatus(Buffer.concat([this.statusBytes, chunk]));
    const data = this.held.length > 0 ? Buffer.concat([this.held, chunk]) : chunk;
    const at = data.indexOf(this.marker);
    if (at >= 0) {
      this.emit(data.subarray(0, at));
      this.readStatus(data.subarray(at + this.marker.length));
      return;
    }
    const keep = partialMatch(data, this.marker);
    this.emit(data.subarray(0, data.length - keep));
    this.held = Buffer.from(data.subarray(data.length - keep));
  }

  /** Hands over what was held back as a possible marker, when the stream ended without one. */
  flush(): void {
    this.emit(this.held);
    this.held = Buffer.alloc(0);
  }

  private emit(data: Buffer): void {
    if (data.length > 0) this.sink(data);
  }

  private readStatus(data: Buffer): void {
    const end = data.indexOf(NEWLINE);
    if (end >= 0) this.status = data.toString('latin1', 0, end).trim();
    else if (data.length > MAX_STATUS_BYTES) this.status = '';
    else this.statusBytes = data;
  }
}

/** Length of the longest end of `data` that the marker starts with. */
function partialMatch(data: Buffer, marker: Buffer): number {
  for (let length = Math.min(marker.length - 1, data.length); length > 0; length -= 1) {
    if (data.subarray(data.length - length).equals(marker.subarray(0, length))) return length;
  }
  return 0;
}
