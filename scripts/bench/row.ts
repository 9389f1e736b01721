/** One line of the table: what was measured on this machine in this run. */
export interface Row {
  what: string;
  unit: 'ms' | 's' | 'MB' | '%' | 'count';
  /** Half and 95 of 100 measurements were at most this; both are the value when there is one. */
  p50: number;
  p95: number;
  /** Number of measurements. */
  n: number;
  /** What the project set out to reach; `null` for figures to compare with. */
  reach: { p50?: number; p95?: number; text: string } | null;
  /** How many times ours this is, for figures to compare with. */
  timesOurs?: number;
  note?: string;
}

/** A measurement that could not be made here, and why. */
export interface Skipped {
  what: string;
  skipped: string;
}

/** Value below which `share` of the sorted measurements lie (nearest rank). */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** A row of repeated measurements. */
export function series(
  what: string,
  unit: Row['unit'],
  values: readonly number[],
  reach: Row['reach'] = null,
  note?: string,
): Row {
  const sorted = values.toSorted((a, b) => a - b);
  const row = { what, unit, p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95), reach };
  return { ...row, n: values.length, ...(note !== undefined && { note }) };
}

/** A row of one figure. */
export function single(
  what: string,
  unit: Row['unit'],
  value: number,
  reach: Row['reach'] = null,
  note?: string,
): Row {
  return series(what, unit, [value], reach, note);
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
