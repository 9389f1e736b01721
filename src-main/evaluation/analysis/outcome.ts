import type { Expectation, Grading, Outcome } from '../../contract/index.ts';

/**
 * What became of the tests, first axis of the failure analysis. `null` without a verdict. Where a
 * patch fixed some and broke others, that it broke something is the news.
 */
export function outcomeOf(grading: Grading | null, patch: { files: number }): Outcome | null {
  if (grading === null) return null;
  if (grading.state === 'infra') return 'infra';
  if (grading.resolved) return 'resolved';
  if (!grading.applied) return 'not_applied';
  if (patch.files === 0) return 'empty';
  const { failToPass, passToPass, reward } = grading;
  const broken = passToPass !== null && passToPass.unmet.length > 0;
  const fixed = failToPass === null ? byReward(reward) : byTests(failToPass);
  if (!broken) return fixed === 'none' ? 'never_fixed' : 'partial';
  return fixed === 'all' ? 'fixed_with_regression' : 'regression';
}

/** Of verifiers that name no tests the reward tells how far it came. */
function byReward(reward: number | null): 'all' | 'some' | 'none' {
  return reward !== null && reward > 0 ? 'some' : 'none';
}

function byTests({ expected, met }: Expectation): 'all' | 'some' | 'none' {
  if (met === 0) return 'none';
  return met >= expected ? 'all' : 'some';
}
