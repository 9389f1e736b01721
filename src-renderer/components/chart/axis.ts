import { unitsText } from '../../text/en/units.ts';
import type { ChartSpan } from './types.ts';

/** Steps of an axis of bytes. */
export const BINARY_STEPS: number[] = Array.from({ length: 48 }, (_, power) => 2 ** power);

const HOUR = 3600;

/** Steps of an axis that counts seconds from its start. */
export const ELAPSED_STEPS: number[] = [
  ...[0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30],
  ...[60, 120, 300, 600, 900, 1800, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR],
];

/** Steps of an axis of clock times, which names no parts of seconds. */
export const CLOCK_STEPS: number[] = ELAPSED_STEPS.filter((step) => step >= 1);

/** Places of the figures between two moments, counted from `zero`; all in seconds. */
export function elapsedTicks(zero: number, from: number, to: number, step: number): number[] {
  const first = Math.ceil((from - zero) / step - TINY);
  const last = Math.floor((to - zero) / step + TINY);
  return Array.from(
    { length: Math.max(0, last - first + 1) },
    (_, at) => zero + (first + at) * step,
  );
}

/** What seconds since 1970 lose as floating point numbers, in parts of a step. */
const TINY = 1e-3;

/** `0`, `0.5 s`, `12 s`, `1:05`, `1:00:30`: as exact as its neighbours are apart. */
export function elapsedLabel(seconds: number, step: number): string {
  const digits = step >= 1 ? 0 : Math.ceil(-Math.log10(step) - TINY);
  const rounded = Number(seconds.toFixed(digits));
  if (rounded === 0) return '0';
  if (rounded < 60) return unitsText.seconds(rounded.toFixed(digits));
  const rest = (rounded % 60).toFixed(digits).padStart(digits === 0 ? 2 : digits + 3, '0');
  const minutes = Math.floor(rounded / 60);
  if (minutes < 60) return `${minutes}:${rest}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`;
}

/** `4 MiB` of `4.0 MiB`, `0` of `0 B`: an axis has whole figures, and needs no unit at its start. */
export function tickLabel(label: string, value: number): string {
  return value === 0 ? '0' : label.replace(/\.0(?=\s|$)/, '');
}

/** The span a moment lies in; the nearest one where it lies between two. */
export function spanAt(spans: readonly ChartSpan[], at: number): ChartSpan | null {
  let best: ChartSpan | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const span of spans) {
    const distance = Math.max(span.from - at, at - span.to, 0);
    if (distance < least) [best, least] = [span, distance];
  }
  return best;
}

/** Place of the newest figure up to a moment; -1 where there is none. */
export function placeAt(times: readonly number[], at: number): number {
  return times.findLastIndex((time) => time <= at);
}
