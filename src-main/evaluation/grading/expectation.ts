import type { Expectation, TestStatus } from '../../contract/index.ts';
import type { StatusMap } from './types.ts';

/** So many of the unmet are named in the record; the counts are of all. */
const MAX_UNMET = 200;

const PASSING: ReadonlySet<TestStatus> = new Set(['PASSED', 'XFAIL']);
const KEEPING: ReadonlySet<TestStatus> = new Set(['PASSED', 'XFAIL', 'SKIPPED']);

/** When a test counts as it should; `MISSING` is a status here. */
export type Meets = (status: TestStatus) => boolean;

/** A test that the fix must mend. A skipped one is not mended. */
export const mended: Meets = (status) => PASSING.has(status);
/** A test that the fix must leave alone: skipping it is no regression. */
export const kept: Meets = (status) => KEEPING.has(status);
/** For suites that only name their failures: what is not named as failed passed. */
export const notFailed: Meets = (status) => status !== 'FAILED';
/** SWE-bench Pro's rule for all. */
export const passed: Meets = (status) => status === 'PASSED';

/** A list of expected tests against what was found. */
export function expectation(names: readonly string[], found: StatusMap, meets: Meets): Expectation {
  let met = 0;
  const unmet: Expectation['unmet'] = [];
  for (const name of names) {
    const status = statusOf(name, found);
    if (meets(status)) met += 1;
    else if (unmet.length < MAX_UNMET) unmet.push({ name, status });
  }
  return { expected: names.length, met, unmet };
}

/**
 * 676 expected names of SWE-bench Verified end in the middle of a parameter list. Only for such a
 * name (more `[` than `]`), results count that begin with it, if they all pass or all do not.
 */
function statusOf(name: string, found: StatusMap): TestStatus {
  const exact = found.get(name);
  if (exact !== undefined) return exact;
  if (count(name, '[') <= count(name, ']')) return 'MISSING';
  let first: TestStatus | undefined;
  for (const [other, status] of found) {
    if (!other.startsWith(name)) continue;
    if (first !== undefined && PASSING.has(status) !== PASSING.has(first)) return 'MISSING';
    first ??= status;
  }
  return first ?? 'MISSING';
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
