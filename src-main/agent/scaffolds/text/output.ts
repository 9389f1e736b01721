import type { CapturedOutput } from '../../../workspaces/index.ts';
import { headOf, tailOf } from './clip.ts';

/** A stream as text. What the capture dropped lies between `head` and `tail`. */
export interface OutputText {
  head: string;
  tail: string;
  complete: boolean;
  /** Characters there are at least; with `complete` exactly. */
  size: number;
  totalBytes: number;
}

/**
 * UTF-8 with replacement (B06), NUL replaced as well since chat templates end at it, and line ends
 * as Python's text mode reads them, which is what Leaf shows: `\r\n` and a lone `\r` become `\n`.
 */
export function decodeOutput(output: CapturedOutput): OutputText {
  const complete = output.totalBytes <= output.head.length;
  const head = decode(complete ? output.head : output.head.subarray(0, wholeEnd(output.head)));
  const tail = complete ? '' : decode(output.tail.subarray(wholeStart(output.tail)));
  return {
    head,
    tail,
    complete,
    size: complete ? head.length : Number.MAX_SAFE_INTEGER,
    totalBytes: output.totalBytes,
  };
}

function decode(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text.replace(/\r\n?|\0/g, (match) => (match === '\0' ? '\ufffd' : '\n'));
}

/** Length without a character that was cut off at the end. */
function wholeEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Start behind the rest of a character that was cut off at the front. */
function wholeStart(bytes: Uint8Array): number {
  let at = 0;
  while (at < 3 && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return at;
}

/** A third of the room for the start, two for the end, where test runs put their summary (B05). */
export function shorten(output: OutputText, room: number): string {
  if (output.complete && output.size <= room) return output.head;
  const marker = (head: number, tail: number): string =>
    `\n[truncated: shown are the first ${head} and the last ${tail} characters of ${output.totalBytes} bytes]\n`;
  const left = Math.max(200, room - marker(room, room).length);
  const head = headOf(output.head, Math.floor(left / 3));
  const source = output.complete ? output.head : output.tail;
  const tail = tailOf(source, left - head.length);
  return head + marker(head.length, tail.length) + tail;
}
