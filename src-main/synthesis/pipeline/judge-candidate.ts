import type { InfraReason, TestStatus } from '../../contract/index.ts';
import {
  failuresOf,
  logOf,
  PASSING,
  statusesOf,
  type ExpectedTests,
  type Graded,
} from '../../evaluation/index.ts';
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
    const { reason, detail } = grading.infra ?? { reason: null, detail: grading.summary };
    if (reason !== null && !BY_THE_BUG.has(reason)) return { refusal: 'not_judged', detail };
    return { refusal: 'collection_error', detail: errorLine(logOf(graded)) ?? detail };
  }
  const broken = failuresOf(graded).find(isBroken);
  if (broken !== undefined) {
    return { refusal: 'collection_error', detail: errorLine(broken.output) ?? broken.name };
  }
  return sortTests(steady, statuses);
}

/** Why there are no results of tests that run without the bug. */
const BY_THE_BUG: ReadonlySet<InfraReason> = new Set([
  'missing_module',
  'no_tests_collected',
  'no_reward',
]);

/** Whether what is told is no test that failed but code that does not compile, or cannot be read. */
function isBroken({ name, type, output }: ReturnType<typeof failuresOf>[number]): boolean {
  // vitest's word for a file that it cannot load.
  const [file, test] = name.split('::');
  const isFile = file !== undefined && file === test;
  return type === 'build' || (isFile && /SyntaxError|PARSE_ERROR|Transform failed/.test(output));
}

const MAX_LINE = 300;

/** The line that says what is wrong with code that does not run: a compiler's first, or the error. */
export function errorLine(text: string): string | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const telling = [
    /^\S+\.go:\d+:\d+: /,
    /^(?:E +)?\w*(?:Error|Exception)(?: \[\w+\])?: /,
    /error/i,
  ];
  const found = telling.map((pattern) => lines.find((line) => pattern.test(line)));
  return found.find((line) => line !== undefined)?.slice(0, MAX_LINE);
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
