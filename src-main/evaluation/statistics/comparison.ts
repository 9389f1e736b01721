import type { RunCell } from '../../contract/index.ts';
import { clusteredBootstrap } from './bootstrap.ts';
import { taskRuns } from './entry.ts';
import { exactPairedTest } from './exact-test.ts';
import { smallestDifference, tasksNeeded } from './power.ts';
import type { Interval } from './proportions.ts';
import { standardDeviation } from './sample.ts';

/**
 * Sum of the differences that the exact test tells apart at most: its work grows with it. Many numbers
 * of valid runs side by side (7, 8, 9, ... of 10) have a common multiple beyond all bounds; their
 * shares are then rounded, by less than a thousandth of a task for 100 tasks.
 */
const FINEST = 100_000;

/** Two entries on the tasks that both have valid runs of. */
export interface Comparison {
  tasks: number;
  /** Tasks of only one of them, or without a valid run on one side: left out. */
  leftOut: number;
  /** Mean of B less mean of A, with the interval from drawing tasks again. */
  difference: Interval;
  /** Exact paired test over tasks, two-sided. */
  p: number;
  /** Names of the tasks where B's share of solved runs is higher, and lower. */
  better: string[];
  worse: string[];
  same: number;
  /** Smallest difference that so many tasks can be expected to show; `null` for fewer than two. */
  smallest: number | null;
  /** Tasks needed for the difference that was seen; `null` when there is none. */
  needed: number | null;
}

export function compareEntries(a: readonly RunCell[], b: readonly RunCell[]): Comparison {
  const left = new Map(taskRuns(a).map((runs) => [runs.task, runs]));
  const right = taskRuns(b);
  const pairs = right.flatMap((two) => {
    const one = left.get(two.task);
    return one !== undefined && one.n > 0 && two.n > 0 ? [{ task: two.task, one, two }] : [];
  });
  const names = new Set([...left.keys(), ...right.map(({ task }) => task)]);
  const shares = pairs.map(({ one, two }) => two.solved / two.n - one.solved / one.n);
  // Over one denominator for all, so that the differences are whole numbers.
  const denominator = Math.min(
    commonMultiple(pairs.flatMap(({ one, two }) => [one.n, two.n])),
    Math.ceil(FINEST / Math.max(1, pairs.length)),
  );
  const whole = shares.map((share) => Math.round(share * denominator));
  const difference = clusteredBootstrap(shares);
  const spread = standardDeviation(shares);
  return {
    tasks: pairs.length,
    leftOut: names.size - pairs.length,
    difference,
    p: exactPairedTest(whole),
    better: pairs.filter((_, at) => (whole[at] ?? 0) > 0).map(({ task }) => task),
    worse: pairs.filter((_, at) => (whole[at] ?? 0) < 0).map(({ task }) => task),
    same: whole.filter((one) => one === 0).length,
    smallest: pairs.length < 2 ? null : smallestDifference(pairs.length, spread),
    needed:
      pairs.length < 2 || difference.value === 0 || spread === 0
        ? null
        : tasksNeeded(Math.abs(difference.value), spread),
  };
}

function commonMultiple(numbers: readonly number[]): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  return numbers.reduce((all, one) => Math.min((all * one) / divisor(all, one), FINEST), 1);
}
