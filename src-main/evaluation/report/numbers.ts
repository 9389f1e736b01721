import { formatSize } from '../../lib/index.ts';
import type { Interval, Spread } from '../statistics/index.ts';

/** What nothing measured is called; never a zero. */
export const NOT_MEASURED = 'not measured';
const NONE = '–';

/** `61.5 %`; a dash for what is no number. */
export function percent(share: number | null): string {
  return share === null || !Number.isFinite(share) ? NONE : `${(share * 100).toFixed(1)} %`;
}

/** `57.2 to 65.8`, in percent. */
export function range({ low, high }: { low: number; high: number }): string {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return NONE;
  return `${(low * 100).toFixed(1)} to ${(high * 100).toFixed(1)}`.replaceAll('-', '−');
}

/** `+4.2`, in points. */
export function points(difference: number): string {
  if (!Number.isFinite(difference)) return NONE;
  const text = (difference * 100).toFixed(1);
  return difference > 0 && !text.startsWith('0.0') ? `+${text}` : text.replace(/^-/, '−');
}

export function withRange(interval: Interval): string {
  return `${percent(interval.value)} (${range(interval)})`;
}

export function chance(p: number): string {
  if (!Number.isFinite(p)) return NONE;
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}

/** With blanks between thousands, that no language reads as a decimal point. */
export function count(value: number): string {
  return Number.isFinite(value)
    ? String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, '\u2009')
    : NONE;
}

/** `1.2 M`, `34 k`. */
export function tokens(value: number): string {
  if (!Number.isFinite(value)) return NONE;
  if (value >= 999_500) return `${(value / 1e6).toFixed(value < 1e7 ? 2 : 1)} M`;
  return value >= 1000 ? `${(value / 1000).toFixed(value < 10_000 ? 1 : 0)} k` : count(value);
}

/** `250 ms`, `4.0 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return NONE;
  if (seconds < 0.9995) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(whole / 60);
  return `${count(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

/** `420 J`, `2.4 kJ`, `0.010 kWh`. */
export function joules(value: number): string {
  if (!Number.isFinite(value)) return NONE;
  if (value < 999.5) return `${count(value)} J`;
  return value >= 36_000 ? `${(value / 3.6e6).toFixed(3)} kWh` : `${(value / 1000).toFixed(1)} kJ`;
}

/** Half, nine tenths and all; or that nobody measured it. `runs`: how many there are to measure. */
export function spread(
  { p50, p90, sum, n }: Spread,
  show: (value: number) => string,
  runs: number,
): { p50: string; p90: string; sum: string } {
  if (n === 0) return { p50: NOT_MEASURED, p90: NONE, sum: NONE };
  const of = n < runs ? ` (of ${n} runs)` : '';
  return { p50: show(p50), p90: show(p90), sum: `${show(sum)}${of}` };
}

export function size(bytes: number): string {
  return Number.isFinite(bytes) ? formatSize(Math.round(bytes)) : NONE;
}

/** UTC to the minute: a report travels. */
export function time(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** `1 task`, `2 tasks`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}
