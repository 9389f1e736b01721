import { expect, test } from 'vitest';
import type { Grading } from '../../contract/index.ts';
import { findFlaky, problemsOf, type StateRun } from './steadiness.ts';

const EXPECTED = { failToPass: ['f1', 'f2'], passToPass: ['p1', 'p2', 'p3', 'p4', 'p5'] };

/** A run in which these of the expected tests did not pass. */
function run(
  state: StateRun['state'],
  unmet: readonly string[],
  more: Partial<Grading> = {},
): StateRun {
  const list = (names: readonly string[]) => {
    const missed = names.filter((name) => unmet.includes(name));
    return {
      expected: names.length,
      met: names.length - missed.length,
      unmet: missed.map((name) => ({ name, status: 'FAILED' as const })),
    };
  };
  const grading = {
    ...{ state: 'graded', infra: null, resolved: unmet.length === 0, applied: true },
    ...{ failToPass: list(EXPECTED.failToPass), passToPass: list(EXPECTED.passToPass) },
    ...more,
  };
  return { state, grading: grading as Grading };
}

const judge = (runs: readonly StateRun[], expected: typeof EXPECTED | null = EXPECTED) => {
  const flaky = findFlaky(runs);
  return { flaky, problems: problemsOf(runs, new Set(flaky), expected) };
};

const BASE = run('base', ['f1', 'f2']);
const FIX = run('fix', []);

test('a steady task has no problem', () => {
  expect(judge([BASE, BASE, FIX, FIX])).toEqual({ flaky: [], problems: [] });
});

test('what differs between runs of one state is flaky, whatever it is, and no other problem', () => {
  const runs = [BASE, run('base', ['f1', 'p2']), FIX, run('fix', ['f1', 'p1'])];
  expect(judge(runs)).toEqual({ flaky: ['f1', 'f2', 'p1', 'p2'], problems: [] });
});

test('lists that are wrong each time are problems; at most three names are shown', () => {
  const base = run('base', ['f1', 'p1', 'p2', 'p3', 'p4', 'p5']);
  const fix = run('fix', ['f2', 'p5']);
  expect(judge([base, base, fix, fix])).toEqual({
    flaky: [],
    problems: [
      'pass without a fix: f2',
      'fail without a fix, but are to keep passing: p1, p2, p3 and 2 more',
      'fail with the fix: f2, p5',
    ],
  });
});

test('without names of tests the verdict has to be the same each time', () => {
  const none = { failToPass: null, passToPass: null };
  const bad = run('base', ['f1'], none);
  const good = run('fix', [], none);
  expect(judge([bad, bad, good, good], null).problems).toEqual([]);
  expect(
    judge([run('base', [], none), bad, good, run('fix', ['f1'], none)], null).problems,
  ).toEqual(['the tree without a fix passes', 'the fix fails in 1 of 2 runs']);
});

test('a fix that does not apply, and a state that could not be judged', () => {
  expect(judge([BASE, run('fix', ['f1', 'f2'], { applied: false })]).problems).toEqual([
    'the fix does not apply to the tree',
  ]);
  const infra = { reason: 'out_of_memory' as const, detail: 'the kernel ended it' };
  expect(judge([BASE, run('fix', [], { state: 'infra', infra })]).problems).toEqual([
    'the fix could not be judged: the kernel ended it',
  ]);
});
