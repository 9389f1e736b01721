import type { VerificationRun } from '../../contract/index.ts';
import type { TestResult } from './test-results.ts';

/** Tests of the run after the patch against those of the run before. */
export interface Comparison {
  /** Passed before and failed, skipped or missing now. */
  regressions: string[];
  /** Failed before and passing now. */
  fixed: string[];
  /** Why the tests contradict a pass; `null` when they do not. */
  objection: string | null;
}

const RANK = { passed: 0, skipped: 1, failed: 2, error: 3 } as const;

interface Tally {
  /** Worst status of all tests of this name: a name can occur more than once. */
  status: TestResult['status'];
  count: number;
}

function tally(tests: readonly TestResult[]): Map<string, Tally> {
  const byName = new Map<string, Tally>();
  for (const { name, status } of tests) {
    const known = byName.get(name);
    const worst = known && RANK[known.status] >= RANK[status] ? known.status : status;
    byName.set(name, { status: worst, count: (known?.count ?? 0) + 1 });
  }
  return byName;
}

const isBad = ({ status }: { status: TestResult['status'] }): boolean =>
  status === 'failed' || status === 'error';

function list(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

/** A file or package that could not even be collected; its tests appear once it can. */
const isCollection = (name: string, { status }: Tally): boolean =>
  status === 'error' && !/::|\.(Test|Fuzz|Example|Benchmark)/.test(name);

/**
 * Compares two runs. A missing test is a failure: a patch that makes the runner collect less, or
 * leave no results at all, does not pass however well the command exits.
 */
export function compareRuns(
  before: readonly TestResult[],
  after: readonly TestResult[],
): Comparison {
  const was = tally(before);
  const is = tally(after);
  const regressions: string[] = [];
  const fixed: string[] = [];
  const missing: string[] = [];
  const skipped: string[] = [];
  for (const [name, old] of was) {
    const now = is.get(name);
    // A failed test can be reported twice (once more for its teardown), a passed one only once.
    const gone = now === undefined || (old.status === 'passed' && now.count < old.count);
    if (old.status === 'passed' && (gone || now.status !== 'passed')) regressions.push(name);
    else if (gone && !isCollection(name, old)) missing.push(name);
    else if (isBad(old) && now?.status === 'passed') fixed.push(name);
    else if (isBad(old) && now?.status === 'skipped') skipped.push(name);
  }
  // What was hidden behind a file that could not be collected counts as fixed.
  const hidden = [...was].some(([name, old]) => isCollection(name, old));
  for (const [name, now] of is) {
    if (hidden && !was.has(name) && now.status === 'passed') fixed.push(name);
  }
  return {
    regressions,
    fixed,
    objection: object({ before, after, regressions, missing, skipped }),
  };
}

function object(facts: {
  before: readonly TestResult[];
  after: readonly TestResult[];
  regressions: string[];
  missing: string[];
  skipped: string[];
}): string | null {
  if (facts.before.length > 0 && facts.after.length === 0) {
    return `no test left a result; before the patch there were ${facts.before.length}`;
  }
  const bad = facts.after.filter(isBad).map(({ name }) => name);
  if (bad.length > 0) return `${count(bad)} failed: ${list(bad)}`;
  if (facts.regressions.length > 0) {
    return `${count(facts.regressions)} passed before and no longer: ${list(facts.regressions)}`;
  }
  if (facts.missing.length > 0) return `${count(facts.missing)} missing: ${list(facts.missing)}`;
  if (facts.skipped.length > 0) {
    return `${count(facts.skipped)} failed before and skipped now: ${list(facts.skipped)}`;
  }
  return null;
}

function count(names: readonly string[]): string {
  return names.length === 1 ? '1 test' : `${names.length} tests`;
}

/** One line for people: what the two runs say together. */
export function summarise(facts: {
  before: VerificationRun;
  after: VerificationRun;
  comparison: Comparison;
  restored: readonly string[];
  manifests: readonly string[];
  named: readonly string[];
  nothingLeft: boolean;
}): string {
  const { before, after, comparison, restored, manifests } = facts;
  const parts = [verdict(before, after, comparison)];
  if (facts.nothingLeft) parts.push('The patch changes nothing but protected files.');
  if (restored.length > 0) {
    const files = restored.length === 1 ? '1 protected file' : `${restored.length} protected files`;
    parts.push(`Put back before the run: ${files} (${list(restored)}).`);
  }
  if (manifests.length > 0) {
    parts.push(`What the patch changes in ${list(manifests)} was therefore not tested.`);
  }
  if (facts.named.length > 0)
    parts.push(`The command runs what the patch changes: ${list(facts.named)}.`);
  return parts.join(' ');
}

function verdict(before: VerificationRun, after: VerificationRun, found: Comparison): string {
  const tests = after.tests.length > 0 ? ` (${count(after.tests.map(({ name }) => name))})` : '';
  if (!after.passed) return `Not verified: ${after.reason ?? `exit code ${after.exitCode}`}.`;
  if (before.passed) {
    return `The command passes${tests}, but it passed before the patch too: it does not show the bug.`;
  }
  const fixed = found.fixed.length > 0 ? `; fixed: ${list(found.fixed)}` : '';
  return `Verified: the command failed before the patch and passes after it${tests}${fixed}.`;
}
