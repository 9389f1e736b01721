import type { Interval } from './proportions.ts';
import { indexSource, mean, quantile } from './sample.ts';

const RESAMPLES = 10_000;
const SEED = 20_260_101;

/**
 * The mean over tasks with its percentile interval from drawing TASKS again, not runs: runs of one task
 * are alike, and an interval over runs would be too narrow.
 *
 * @param perTask one value for each task, e.g. its share of solved runs
 */
export function clusteredBootstrap(
  perTask: readonly number[],
  options: { confidence?: number; resamples?: number; seed?: number } = {},
): Interval {
  const { confidence = 0.95, resamples = RESAMPLES, seed = SEED } = options;
  if (perTask.length === 0) return { value: Number.NaN, low: Number.NaN, high: Number.NaN };
  const draw = indexSource(seed);
  const values = Float64Array.from(perTask);
  const means = new Float64Array(resamples);
  for (let at = 0; at < resamples; at++) {
    let sum = 0;
    for (let n = 0; n < values.length; n++) sum += values[draw(values.length)] ?? 0;
    means[at] = sum / values.length;
  }
  means.sort();
  const side = (1 - confidence) / 2;
  return { value: mean(perTask), low: quantile(means, side), high: quantile(means, 1 - side) };
}
