import type { TextFile } from './detect.ts';

/** Replace the characters from `start` to `end` of a file's text. */
export interface Splice {
  start: number;
  end: number;
  text: string;
}

export type Spliced =
  | { ok: true; bytes: Uint8Array }
  /** Characters of the new text that the file's encoding can't write. */
  | { ok: false; characters: string[] };

/**
 * Applies splices (ascending, not overlapping) to the bytes of a file. Bytes outside the splices
 * are copied, never decoded and encoded again.
 */
export function spliceBytes(
  bytes: Uint8Array,
  file: TextFile,
  splices: readonly Splice[],
): Spliced {
  const parts: Uint8Array[] = [];
  let byteAt = file.bom.length;
  let charAt = 0;
  let copied = 0;
  for (const splice of splices) {
    byteAt += lengthOf(file, charAt, splice.start);
    parts.push(bytes.subarray(copied, byteAt));
    const added = file.codec.encode(splice.text);
    if (!added) return { ok: false, characters: notEncodable(splice.text, file) };
    parts.push(added);
    byteAt += lengthOf(file, splice.start, splice.end);
    copied = byteAt;
    charAt = splice.end;
  }
  parts.push(bytes.subarray(copied));
  return { ok: true, bytes: Buffer.concat(parts) };
}

/** Bytes that a stretch of the file's own text takes; the round-trip proof makes this exact. */
function lengthOf(file: TextFile, from: number, to: number): number {
  const encoded = file.codec.encode(file.text.slice(from, to));
  if (!encoded) throw new RangeError('a match cuts a character in two');
  return encoded.length;
}

/** Up to ten different characters. */
export function notEncodable(text: string, file: TextFile): string[] {
  const bad = new Set<string>();
  for (const char of text) {
    if (bad.size < 10 && !file.codec.encode(char)) bad.add(char);
  }
  return [...bad];
}
