import type { InfraReason, TestStatus } from '../../contract/index.ts';
import type { Meets } from './expectation.ts';
import type { StatusMap } from './types.ts';

/** What a reader makes of the evidence. */
export type Reading =
  | {
      kind: 'tests';
      tests: StatusMap;
      /** Spelling of expected names, where a report changes them. */
      spell?: (name: string) => string;
      failToPass: Meets;
      passToPass: Meets;
    }
  | { kind: 'rewards'; rewards: Record<string, number>; reward: number; full: boolean }
  /** Nothing is known of the patch. Without a reason the log is searched for one. */
  | { kind: 'nothing'; detail: string; reason?: InfraReason };

/** So many results are read; the largest known suites stay below. */
export const MAX_RESULTS = 200_000;

const WORST: readonly TestStatus[] = ['PASSED', 'XFAIL', 'SKIPPED', 'FAILED', 'ERROR'];

/** Of a test that is told of twice, the worse result counts. */
export function worstOf(results: Iterable<readonly [string, TestStatus]>): StatusMap {
  const tests = new Map<string, TestStatus>();
  for (const [name, status] of results) {
    const known = tests.get(name);
    const worse = known === undefined || WORST.indexOf(status) > WORST.indexOf(known);
    if (worse) tests.set(name, status);
  }
  return tests;
}
