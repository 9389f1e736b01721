import type { OutputOf, ParsedInputOf } from '../../contract/index.ts';
import type { Store } from '../../store/index.ts';

/** As git does: a NUL near the start makes it binary. */
const LOOKED_AT_BYTES = 8_000;

/** A piece of a stored content; no character is cut: pieces that follow each other make the whole. */
export function readBlob(
  store: Pick<Store, 'blob'>,
  { sha256, offset, maxBytes }: ParsedInputOf<'sessions/blob'>,
): OutputOf<'sessions/blob'> {
  const content = store.blob(sha256);
  const start = characterStart(content, offset);
  const end = characterStart(content, offset + maxBytes);
  return {
    text: Buffer.from(content.subarray(start, end)).toString('utf8'),
    size: content.length,
    binary: content.subarray(0, LOOKED_AT_BYTES).includes(0),
  };
}

/** The first byte from `offset` on that begins a character of UTF-8, or that cannot belong to one. */
function characterStart(content: Uint8Array, offset: number): number {
  for (let at = offset; at < offset + 4; at += 1) {
    if (at === 0 || ((content[at] ?? 0) & 0xc0) !== 0x80) return Math.min(at, content.length);
  }
  return Math.min(offset, content.length);
}
