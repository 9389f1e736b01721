import type { EntryStatistics, Spread } from '../statistics/index.ts';
import type { EntryReport } from './entry-report.ts';
import { count, duration, joules, NOT_MEASURED, percent, size, spread, tokens } from './numbers.ts';

/** Of one entry: what half and nine in ten of its runs cost at most, and what all cost together. */
export interface CostRow {
  cost: string;
  entry: string;
  p50: string;
  p90: string;
  sum: string;
}

type Figures = Omit<CostRow, 'cost' | 'entry'>;
type Show = (value: number) => string;

const of =
  (pick: (statistics: EntryStatistics) => Spread, show: Show) =>
  (statistics: EntryStatistics): Figures =>
    spread(pick(statistics), show, statistics.runs.valid);

const COST_ROWS: readonly [string, (statistics: EntryStatistics) => Figures][] = [
  ['steps', of(({ steps }) => steps, count)],
  ['prompt tokens', of(({ tokens: { prompt } }) => prompt, tokens)],
  ['prompt tokens from the cache', cached],
  ['completion tokens', of(({ tokens: { completion } }) => completion, tokens)],
  ['time', of(({ seconds }) => seconds.total, duration)],
  ['time of the model', of(({ seconds }) => seconds.model, duration)],
  ['time of tools', of(({ seconds }) => seconds.tools, duration)],
  ['time of grading, after it', of(({ seconds }) => seconds.grading, duration)],
  [
    'peak memory',
    // What runs held at their peaks is no sum.
    (all) => ({ ...of(({ peakMemoryBytes }) => peakMemoryBytes, size)(all), sum: '–' }),
  ],
  ['energy of the machine', of(({ energyJoules }) => energyJoules, joules)],
];

function cached({ tokens: { cachedShare } }: EntryStatistics): Figures {
  return { p50: '–', p90: '–', sum: cachedShare === null ? NOT_MEASURED : percent(cachedShare) };
}

/** By cost, then entry, so that entries stand below each other. */
export function costRows(entries: readonly EntryReport[]): CostRow[] {
  return COST_ROWS.flatMap(([cost, figures]) =>
    entries.map(({ entry, statistics }) => ({ cost, entry: entry.label, ...figures(statistics) })),
  );
}
