import { normalQuantile } from './normal.ts';

/** Of a two-sided test at 5 % that finds a true difference in 80 of 100 cases. */
const ALPHA = 0.05;
const POWER = 0.8;

function reach(): number {
  return normalQuantile(1 - ALPHA / 2) + normalQuantile(POWER);
}

/**
 * Smallest difference of two means over the same tasks that can be expected to show.
 * @param spread standard deviation over tasks of the difference of a task's two means
 */
export function smallestDifference(tasks: number, spread: number): number {
  return (reach() * spread) / Math.sqrt(tasks);
}

/** Tasks that are needed for a difference to show. */
export function tasksNeeded(difference: number, spread: number): number {
  return Math.ceil(((reach() * spread) / difference) ** 2);
}

/**
 * The spread to expect where nothing was compared yet: two runs of the same thing differ in the share
 * `flips` of the tasks, and the mean of `seeds` runs a side varies less.
 */
export function expectedSpread(flips: number, seeds: number): number {
  return Math.sqrt(flips / seeds);
}

/** Share of tasks that differ between two runs of FrogMini on SWE-bench Verified (reference, computed). */
export const KNOWN_FLIPS = 0.26;
