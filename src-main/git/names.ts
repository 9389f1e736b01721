const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The name as text, or `undefined` when its bytes are not UTF-8. */
export function nameOf(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Quotes a path the way git reads it in the fast-import stream and in patch headers. */
export function quotePath(path: string): string {
  let quoted = '"';
  for (const character of path) {
    const code = character.codePointAt(0) ?? 0;
    if (character === '"' || character === '\\') quoted += `\\${character}`;
    else if (code < 0x20 || code === 0x7f) quoted += `\\${code.toString(8).padStart(3, '0')}`;
    else quoted += character;
  }
  return `${quoted}"`;
}

const ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
};

/**
 * Reads a path quoted by git that begins at `start` (a `"`): the bytes of the name and the offset
 * behind the closing quote; `undefined` when it is not well-formed.
 */
export function unquotePath(
  bytes: Uint8Array,
  start: number,
): { name: Buffer; end: number } | undefined {
  if (bytes[start] !== 34) return undefined;
  const name: number[] = [];
  for (let at = start + 1; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === 34) return { name: Buffer.from(name), end: at + 1 };
    if (byte !== 92) {
      name.push(byte);
      continue;
    }
    const next = String.fromCharCode(bytes[at + 1] ?? 0);
    const simple = ESCAPES[next];
    if (simple !== undefined) {
      name.push(simple);
      at += 1;
      continue;
    }
    const octal = Buffer.from(bytes.subarray(at + 1, at + 4)).toString('latin1');
    if (!/^[0-3][0-7]{2}$/.test(octal)) return undefined;
    name.push(Number.parseInt(octal, 8));
    at += 3;
  }
  return undefined;
}
