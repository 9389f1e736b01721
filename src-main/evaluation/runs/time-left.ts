import type { TimeLeft } from './types.ts';

/** Before so many cells have finished, any figure would be a guess. */
const ENOUGH = 5;
/** Of a normal distribution, for a range of 80 %. */
const Z80 = 1.282;
/** What an entry takes of which no cell has run yet, against the one that runs. */
const UNKNOWN_ENTRY = { low: 0.5, high: 2 };

export interface Timings {
  /** Seconds that finished cells of the running entry took, grading included. */
  finished: readonly number[];
  /** Seconds that the running cells have run so far. */
  running: readonly number[];
  /** Cells of the running entry that have not begun. */
  waiting: number;
  /** Cells of entries that come after it. */
  later: number;
  workers: number;
}

/**
 * Seconds to the end of the run. The range is that of a prediction: the spread of single cells, and
 * that the mean itself is only known from those that have finished. Entries to come can be twice as
 * fast or as slow. `null` until enough is known.
 */
export function timeLeft({ finished, running, waiting, later, workers }: Timings): TimeLeft | null {
  if (finished.length < ENOUGH) return null;
  const mean = finished.reduce((sum, one) => sum + one, 0) / finished.length;
  const spread = finished.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (finished.length - 1);
  const done = running.reduce((sum, one) => sum + Math.min(one, mean), 0);
  const cells = waiting + running.length;
  const work = cells * mean - done;
  const doubt = Z80 * Math.sqrt(spread * (cells + cells ** 2 / finished.length));
  const next = later * mean;
  const atOnce = Math.max(1, Math.min(workers, cells + later));
  const seconds = (value: number) => Math.max(0, value) / atOnce;
  return {
    likely: seconds(work + next),
    low: seconds(work - doubt + next * UNKNOWN_ENTRY.low),
    high: seconds(work + doubt + next * UNKNOWN_ENTRY.high),
  };
}
