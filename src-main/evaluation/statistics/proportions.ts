import { normalQuantile } from './normal.ts';

/** A value with its interval. */
export interface Interval {
  value: number;
  low: number;
  high: number;
}

/** Wilson's score interval for `hits` of `n` independent tries; for one run of a set of tasks. */
export function wilson(hits: number, n: number, confidence = 0.95): Interval {
  if (n === 0) return { value: Number.NaN, low: 0, high: 1 };
  const z = normalQuantile(1 - (1 - confidence) / 2);
  const p = hits / n;
  const scale = 1 + (z * z) / n;
  const middle = (p + (z * z) / (2 * n)) / scale;
  const half = (z / scale) * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  // At the ends the formula gives 0 and 1 up to rounding.
  const low = hits === 0 ? 0 : middle - half;
  return { value: p, low, high: hits === n ? 1 : middle + half };
}

/**
 * Unbiased estimate of the chance that at least one of `k` tries solves a task of whose `n` tries `c`
 * did: `1 - C(n - c, k) / C(n, k)`. `NaN` with fewer than `k` tries.
 */
export function passAtK(n: number, c: number, k: number): number {
  if (k > n) return Number.NaN;
  let none = 1;
  for (let i = 0; i < k; i++) none *= Math.max(0, n - c - i) / (n - i);
  return 1 - none;
}

/** Unbiased estimate of the chance that all of `k` tries solve it: `C(c, k) / C(n, k)`. */
export function passHatK(n: number, c: number, k: number): number {
  if (k > n) return Number.NaN;
  let all = 1;
  for (let i = 0; i < k; i++) all *= Math.max(0, c - i) / (n - i);
  return all;
}
