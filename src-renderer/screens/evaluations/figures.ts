import type { Interval, RunSummary } from '../../../src-main/contract/index.ts';
import { formatShare } from '../../format.ts';
import { unitsText } from '../../text/en/units.ts';

/** 97.5 % point of the normal distribution. */
const Z = 1.959963984540054;

/**
 * Share of attempts with a verdict that are solved, with Wilson's interval over tasks: attempts of one
 * task are alike, and an interval over attempts would be too narrow. `null` = nothing has a verdict.
 */
export function solvedShare({ cells, seeds }: RunSummary): Interval | null {
  const { graded, resolved } = cells;
  if (graded === 0) return null;
  const p = resolved / graded;
  const n = graded / Math.max(1, seeds);
  const scale = 1 + Z ** 2 / n;
  const middle = (p + Z ** 2 / (2 * n)) / scale;
  const half = (Z / scale) * Math.sqrt((p * (1 - p)) / n + (Z / (2 * n)) ** 2);
  // At the ends the formula gives 0 and 1 up to rounding.
  const low = resolved === 0 ? 0 : Math.max(0, middle - half);
  return { value: p, low, high: resolved === graded ? 1 : Math.min(1, middle + half) };
}

/** `42.3`, with a sign of its own: a difference of two shares in points. */
export function formatPoints(difference: number | null): string {
  if (difference === null) return unitsText.unknown;
  const points = (Math.abs(difference) * 100).toFixed(1);
  if (points === '0.0') return '0.0';
  return `${difference < 0 ? '\u2212' : '+'}${points}`;
}

/** `42.3 %`: shares that are compared need a digit more than others. */
export function formatPercent(share: number | null): string {
  if (share === null || !Number.isFinite(share)) return unitsText.unknown;
  return unitsText.share((share * 100).toFixed(1));
}

/** `0.031`, `<0.001`. */
export function formatP(p: number | null): string {
  if (p === null) return unitsText.unknown;
  return p < 0.001 ? '<0.001' : p.toFixed(3);
}

/** Where on an axis a value lies, in percent of its length. */
export function placeOn([from, to]: readonly [number, number], value: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from))) * 100;
}

export { formatShare };
