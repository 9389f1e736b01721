import type { TestStatus } from '../../contract/index.ts';
import { PASSING, statusesOf, type ExpectedTests, type Graded } from '../../evaluation/index.ts';
import type { Refusal } from './types.ts';

export interface Refused {
  refusal: Refusal;
  detail: string;
}

/** What the tests did with the bug. */
export type BugVerdict = { expected: ExpectedTests } | Refused;

/**
 * Sorts the steady tests by what they do with the bug. Tests that leave no result are on no list: an
 * error that hides them tells nothing of each.
 */
export function verdictOfBug(steady: readonly string[], graded: Graded): BugVerdict {
  const { grading } = graded;
  if (grading.infra?.reason === 'tests_timed_out') {
    return { refusal: 'timed_out', detail: grading.infra.detail };
  }
  if (!grading.applied) return { refusal: 'not_judged', detail: 'the bug does not apply' };
  const statuses = statusesOf(graded);
  if (statuses === undefined) {
    const detail = grading.infra?.detail ?? grading.summary;
    const refusal = grading.state === 'infra' ? 'not_judged' : 'collection_error';
    return { refusal, detail };
  }
  return sortTests(steady, statuses);
}

/** Lists of the steady tests with a bug, from their statuses. */
export function sortTests(
  steady: readonly string[],
  statuses: ReadonlyMap<string, TestStatus>,
): BugVerdict {
  const told = steady.filter((name) => statuses.has(name) && statuses.get(name) !== 'SKIPPED');
  const failToPass = told.filter((name) => !PASSING.has(statuses.get(name) ?? 'MISSING'));
  const passToPass = told.filter((name) => PASSING.has(statuses.get(name) ?? 'MISSING'));
  if (failToPass.length > 0) return { expected: { failToPass, passToPass } };
  const missing = steady.length - told.length;
  if (missing === 0) return { refusal: 'no_test_tells', detail: '' };
  return { refusal: 'collection_error', detail: `${missing} tests leave no result` };
}
