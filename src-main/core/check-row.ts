import type { CheckRow } from '../contract/index.ts';

/** What was found of one thing that must be there; without a state it is all right. */
export type Found = Pick<CheckRow, 'found'> & Partial<Pick<CheckRow, 'state' | 'remedy'>>;

export function missing(found: string, remedy: string): Found {
  return { state: 'missing', found, remedy };
}
