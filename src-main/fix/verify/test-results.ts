import type { VerificationRun } from '../../contract/index.ts';

/** One test of a run, as the record keeps it. */
export type TestResult = VerificationRun['tests'][number];

/** A name from a report is cut to this many characters; pytest puts parameters into names. */
const MAX_NAME_CHARS = 500;

/** More results than this are not read; the largest known suites stay below. */
export const MAX_TESTS = 200_000;

/** A test's name on one line and bounded. */
export function lineName(name: string): string {
  const line = name.replace(/[\r\n\t]+/g, ' ').trim();
  return line.length > MAX_NAME_CHARS ? `${line.slice(0, MAX_NAME_CHARS)}…` : line;
}

/** A result with its name on one line and bounded. */
export function testResult(name: string, status: TestResult['status']): TestResult {
  return { name: lineName(name), status };
}
