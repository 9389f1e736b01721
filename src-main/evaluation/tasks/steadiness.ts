import type { Expectation, Grading } from '../../contract/index.ts';
import type { ExpectedTests } from './types.ts';

export interface StateRun {
  state: 'base' | 'fix';
  grading: Grading;
}

type List = 'failToPass' | 'passToPass';
const LISTS = ['failToPass', 'passToPass'] as const;
const SHOWN = 3;

/**
 * Expected tests that did not do the same in all runs of a state, sorted. A grading names 200 unmet
 * tests of a list at most; beyond that only the counts are compared.
 */
export function findFlaky(runs: readonly StateRun[]): string[] {
  const found = new Set<string>();
  for (const state of ['base', 'fix'] as const) {
    const graded = gradedOf(runs, state);
    for (const list of LISTS) {
      for (const [name, times] of unmetCounts(graded, list)) {
        if (times < graded.length) found.add(name);
      }
    }
  }
  return [...found].toSorted();
}

/** What keeps a task from telling a fix from none, flaky tests left aside. */
export function problemsOf(
  runs: readonly StateRun[],
  flaky: ReadonlySet<string>,
  expected: ExpectedTests | null,
): string[] {
  const infra = runs.find(({ grading }) => grading.state === 'infra');
  if (infra !== undefined) {
    const what = infra.state === 'base' ? 'the tree' : 'the fix';
    return [`${what} could not be judged: ${infra.grading.infra?.detail ?? 'no reason is known'}`];
  }
  const base = gradedOf(runs, 'base');
  const fix = gradedOf(runs, 'fix');
  if (expected === null) return byReward(base, fix);
  return [...baseProblems(base, flaky, expected), ...fixProblems(fix, flaky)];
}

/** Without names of tests the verdict as a whole has to be the same each time. */
function byReward(base: readonly Grading[], fix: readonly Grading[]): string[] {
  const problems: string[] = [];
  if (base.some(({ resolved }) => resolved)) problems.push('the tree without a fix passes');
  const failed = fix.filter(({ resolved }) => !resolved).length;
  if (failed > 0) problems.push(`the fix fails in ${failed} of ${fix.length} runs`);
  return problems;
}

function baseProblems(
  base: readonly Grading[],
  flaky: ReadonlySet<string>,
  { failToPass }: ExpectedTests,
): string[] {
  const first = base[0];
  if (first === undefined) return [];
  const problems: string[] = [];
  if (failToPass.length === 0) problems.push('no test is named that the fix would mend');
  const unmet = new Set(first.failToPass?.unmet.map(({ name }) => name));
  const isWhole = (first.failToPass?.unmet.length ?? 0) === missed(first.failToPass);
  const passing = failToPass.filter((name) => isWhole && !unmet.has(name) && !flaky.has(name));
  if (passing.length > 0) problems.push(`pass without a fix: ${someOf(passing)}`);
  const failing = steadyUnmet(base, 'passToPass', flaky);
  if (failing.length > 0)
    problems.push(`fail without a fix, but are to keep passing: ${someOf(failing)}`);
  return problems;
}

function fixProblems(fix: readonly Grading[], flaky: ReadonlySet<string>): string[] {
  if (fix.some(({ applied }) => !applied)) return ['the fix does not apply to the tree'];
  const failing = LISTS.flatMap((list) => steadyUnmet(fix, list, flaky));
  return failing.length > 0 ? [`fail with the fix: ${someOf(failing)}`] : [];
}

function gradedOf(runs: readonly StateRun[], state: StateRun['state']): Grading[] {
  return runs
    .filter((run) => run.state === state && run.grading.state === 'graded')
    .map(({ grading }) => grading);
}

function unmetCounts(runs: readonly Grading[], list: List): Map<string, number> {
  const counts = new Map<string, number>();
  for (const run of runs) {
    for (const { name } of run[list]?.unmet ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function steadyUnmet(runs: readonly Grading[], list: List, flaky: ReadonlySet<string>): string[] {
  return [...unmetCounts(runs, list).keys()].filter((name) => !flaky.has(name)).toSorted();
}

function missed(list: Expectation | null): number {
  return list === null ? 0 : list.expected - list.met;
}

function someOf(names: readonly string[]): string {
  const more = names.length - SHOWN;
  return names.slice(0, SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
