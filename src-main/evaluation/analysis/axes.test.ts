import { expect, test } from 'vitest';
import { EXIT_REASONS, type ExitReason, type Grading } from '../../contract/index.ts';
import { endingOf } from './ending.ts';
import { outcomeOf } from './outcome.ts';

const tests = (expected: number, met: number) => ({
  ...{ expected, met },
  unmet: Array.from({ length: expected - met }, (_, n) => ({
    name: `t${n}`,
    status: 'FAILED' as const,
  })),
});

function graded(change: Partial<Grading>): Grading {
  return {
    ...{ state: 'graded', infra: null, resolved: false, reward: 0, rewards: {}, applied: true },
    ...{ failToPass: tests(2, 0), passToPass: tests(3, 3), tests: null, exitCode: 1, seconds: 1 },
    ...{ readBy: 'junit', evidence: {}, summary: '' },
    ...change,
  };
}

test.each<[string, Partial<Grading>, number, string | null]>([
  ['all fixed', { resolved: true }, 1, 'resolved'],
  ['resolved without a change of the repository', { resolved: true }, 0, 'resolved'],
  ['none of two fixed', {}, 1, 'never_fixed'],
  ['one of two fixed', { failToPass: tests(2, 1) }, 1, 'partial'],
  ['nothing fixed, one broken', { passToPass: tests(3, 2) }, 1, 'regression'],
  ['one fixed, one broken', { failToPass: tests(2, 1), passToPass: tests(3, 2) }, 1, 'regression'],
  [
    'all fixed, one broken',
    { failToPass: tests(2, 2), passToPass: tests(3, 2) },
    1,
    'fixed_with_regression',
  ],
  ['does not apply', { applied: false }, 1, 'not_applied'],
  ['nothing changed', {}, 0, 'empty'],
  ['infra', { state: 'infra', reward: null }, 1, 'infra'],
  ['a reward of a half', { failToPass: null, passToPass: null, reward: 0.5 }, 1, 'partial'],
  ['a reward of nothing', { failToPass: null, passToPass: null }, 1, 'never_fixed'],
])('%s', (_, change, files, outcome) => expect(outcomeOf(graded(change), { files })).toBe(outcome));

test('without a verdict there is no outcome', () => {
  expect(outcomeOf(null, { files: 1 })).toBeNull();
});

test('every way an attempt can end is an ending', () => {
  const endings = Object.keys(EXIT_REASONS).map((reason) => endingOf(reason as ExitReason));
  expect(endings).not.toContain(null);
  expect(new Set(endings)).toEqual(
    new Set([
      ...['context', 'final_answer', 'format', 'infra', 'loop', 'steps', 'stopped'],
      'time',
      'tokens',
    ]),
  );
  expect(endingOf(null)).toBeNull();
});
