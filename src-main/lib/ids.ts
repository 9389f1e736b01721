import { randomBytes } from 'node:crypto';

// Without i, l, o and u: ids are read aloud and typed.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** A random id of `length` characters (5 bits each), safe in file names, labels and URLs. */
export function newId(length = 10): string {
  return Array.from(randomBytes(length), (byte) => ALPHABET.charAt(byte & 31)).join('');
}
