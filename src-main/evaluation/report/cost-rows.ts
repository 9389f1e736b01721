import type { EntryReport } from './entry-report.ts';
import { count, duration, joules, NOT_MEASURED, percent, size, spread, tokens } from './numbers.ts';
import type { Spread } from '../statistics/index.ts';

/** Entry, cost, half, nine in ten, all together; the entry is named in the first of its rows alone. */
export function costRows({ entry, statistics }: EntryReport): string[][] {
  const { runs, seconds } = statistics;
  const of = (name: string, values: Spread, show: (value: number) => string, isSum = true) => {
    const { p50, p90, sum } = spread(values, show, runs.valid);
    return [name, p50, p90, isSum ? sum : '–'];
  };
  const { cachedShare } = statistics.tokens;
  const rows = [
    of('steps', statistics.steps, count),
    of('prompt tokens', statistics.tokens.prompt, tokens),
    [
      'of them from the cache',
      '–',
      '–',
      cachedShare === null ? NOT_MEASURED : percent(cachedShare),
    ],
    of('completion tokens', statistics.tokens.completion, tokens),
    of('time', seconds.total, duration),
    of('of it the model', seconds.model, duration),
    of('of it tools', seconds.tools, duration),
    of('grading, after it', seconds.grading, duration),
    of('peak memory', statistics.peakMemoryBytes, size, false),
    of('energy of the machine', statistics.energyJoules, joules),
  ];
  return rows.map((row, at) => [at === 0 ? entry.label : '', ...row]);
}
