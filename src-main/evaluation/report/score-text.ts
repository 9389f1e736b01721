import { INFRA_REASONS } from '../../contract/index.ts';
import type { PassFigure } from '../statistics/index.ts';
import type { EntryReport } from './entry-report.ts';
import { percent } from './numbers.ts';

/** Beyond these and the largest, more of them tell nothing new. */
const SHOWN_KS = [2, 3, 5, 10];

/** The figures of `k` runs that are worth a column, for all entries alike. */
export function shownKs(entries: readonly EntryReport[]): number[] {
  const most = Math.max(0, ...entries.map(({ statistics }) => statistics.seeds.most));
  return [...new Set([...SHOWN_KS.filter((k) => k <= most), ...(most > 1 ? [most] : [])])];
}

/** `71.0 %`, and from how many tasks where it is not all of them. */
export function passText(figures: readonly PassFigure[], k: number, tasks: number): string {
  const figure = figures.find((one) => one.k === k);
  if (figure === undefined) return '–';
  return figure.tasks === tasks
    ? percent(figure.value)
    : `${percent(figure.value)} (${figure.tasks} tasks)`;
}

/** `3`, or `2 to 3` where tasks have unlike numbers of runs. */
export function runsOfTask({ statistics: { seeds } }: EntryReport): string {
  return seeds.least === seeds.most ? String(seeds.most) : `${seeds.least} to ${seeds.most}`;
}

export function infraText(infra: EntryReport['infra']): string {
  if (infra.length === 0) return '–';
  return infra
    .map(
      ({ reason, cells }) =>
        `${cells}: ${reason === null ? 'it could not begin, see the reasons' : INFRA_REASONS[reason]}`,
    )
    .join('; ');
}
