import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import type { ObjectFormat } from '../git/index.ts';

/** A running hash that becomes the id git gives to a blob of `size` bytes. */
export function blobHash(format: ObjectFormat, size: number): Hash {
  return createHash(format).update(`blob ${size}\0`);
}

/** Id git gives to these bytes as a blob, with no filter. */
export function blobId(format: ObjectFormat, content: Uint8Array): string {
  return blobHash(format, content.length).update(content).digest('hex');
}
