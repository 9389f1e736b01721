import { sha256 } from '../../lib/index.ts';
import type { Candidate } from '../types.ts';

/** Of two bugs with the same one the second tells little new: the same tests fail for the same places. */
export function effectOf({ places }: Candidate, failing: readonly string[]): string {
  const lines = places.map(({ path, line }) => `${path}:${line}`);
  return sha256(JSON.stringify([lines.toSorted(), failing.toSorted()]));
}
