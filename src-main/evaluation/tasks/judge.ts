import type { TestStatus } from '../../contract/index.ts';
import { evidenceOf } from '../grading/evidence-of.ts';
import { junitCases, type JunitCase } from '../../fix/index.ts';
import { readJunit } from '../grading/read-reports.ts';
import type { Graded } from '../grading/types.ts';
import { taskInvalid } from './invalid.ts';
import type { ExpectedTests, NewTask, Task } from './types.ts';

/** Grades a patch on a task in a fresh workspace; the empty one is the tree as it is. */
export type Judge = (task: Task, patch: Uint8Array) => Promise<Graded>;

/** Grades the state of a whole container as it begins, or after the oracle (`solution/solve.sh`). */
export type StateJudge = (task: Task, withOracle: boolean) => Promise<Graded>;

/** Statuses by name from the JUnit report of a grading; `undefined` where there is none. */
export function statusesOf(graded: Graded): ReadonlyMap<string, TestStatus> | undefined {
  const report = evidenceOf(graded, 'verifier/junit.xml');
  if (report === undefined) return undefined;
  const reading = readJunit({ files: { 'junit.xml': report } });
  return reading.kind === 'tests' ? reading.tests : undefined;
}

/** Cases of the JUnit report of a grading that failed or ended with an error; none without a report. */
export function failuresOf(graded: Graded): JunitCase[] {
  const report = evidenceOf(graded, 'verifier/junit.xml');
  const cases = report === undefined ? [] : (junitCases(report) ?? []);
  return cases.filter(({ status }) => status === 'failed' || status === 'error');
}

export interface FoundLists {
  expected: ExpectedTests;
  /** Passed before and do not pass with the fix. */
  broken: string[];
  /** Left no result before and pass with the fix: an error at import hid them. */
  hidden: string[];
}

/** What a test that should pass may come to. */
export const PASSING: ReadonlySet<TestStatus> = new Set(['PASSED', 'XFAIL']);

/**
 * Finds what a fix changes by running the tests before and after it. A test that left no result
 * before counts as failed only if no other test did: what hides a whole file tells nothing of each.
 *
 * @throws VivariumError `task_invalid` when one of the runs tells no tests, or the fix changes none
 */
export async function findLists(judge: Judge, task: Task, fix: Uint8Array): Promise<FoundLists> {
  const before = told(await judge(task, new Uint8Array()), 'before the fix', true);
  const after = told(await judge(task, fix), 'with the fix', false);
  const passes = (of: ReadonlyMap<string, TestStatus>, name: string) =>
    PASSING.has(of.get(name) ?? 'MISSING');
  const good = [...after.keys()].filter((name) => passes(after, name)).toSorted();
  const failed = good.filter(
    (name) => before.has(name) && !passes(before, name) && before.get(name) !== 'SKIPPED',
  );
  const hidden = good.filter((name) => !before.has(name));
  const failToPass = failed.length > 0 ? failed : hidden;
  if (failToPass.length === 0) {
    throw taskInvalid(
      'no test fails before the fix and passes with it',
      'Take a commit whose tests show the mistake, or check the command.',
    );
  }
  return {
    expected: { failToPass, passToPass: good.filter((name) => passes(before, name)) },
    broken: [...before.keys()]
      .filter((name) => passes(before, name) && !passes(after, name))
      .toSorted(),
    hidden: failed.length > 0 ? hidden : [],
  };
}

function told(graded: Graded, when: string, mayBeEmpty: boolean): ReadonlyMap<string, TestStatus> {
  const found = statusesOf(graded);
  if (found !== undefined && (mayBeEmpty || found.size > 0)) return found;
  const { infra, summary, applied } = graded.grading;
  const why = applied ? (infra?.detail ?? summary) : 'the fix does not apply to the tree';
  throw taskInvalid(
    `the tests told nothing ${when}: ${why}`,
    'Run the command by hand in the image.',
  );
}

/** A {@link NewTask} whose lists are not known yet. */
export type Unlisted = Omit<NewTask, 'expected' | 'fix'> & { fix: Uint8Array };
