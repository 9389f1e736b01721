import { sha256 } from '../../lib/index.ts';
import type { Graded } from './types.ts';

/** What the verifier of a grading printed; empty where it is not kept. */
export function logOf(graded: Graded): string {
  return Buffer.from(evidenceOf(graded, 'verifier.log') ?? []).toString('utf8');
}

/** A file that a grading keeps, by its name in the evidence; `undefined` = it has none. */
export function evidenceOf({ grading, blobs }: Graded, name: string): Uint8Array | undefined {
  const wanted = grading.evidence[name];
  return wanted === undefined ? undefined : blobs.find((blob) => sha256(blob) === wanted);
}
