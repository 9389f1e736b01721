import { html, type Html } from '../../lib/index.ts';
import type { PassFigure } from '../statistics/index.ts';
import type { EntryReport } from './entry-report.ts';
import { INFRA_REASONS } from '../../contract/index.ts';
import { dataTable, note, NOTHING } from './html-parts.ts';
import { intervalChart } from './interval-chart.ts';
import { count, percent, range } from './numbers.ts';
import type { ReportData } from './report-data.ts';
import { reachSentence, resultSentence, warnings } from './sentences.ts';

/** Beyond these and the largest, more of them tell nothing new. */
const SHOWN_KS = [2, 3, 5, 10];

export function resultSection(data: ReportData): Html {
  const { entries, reach } = data;
  const said = entries.map(resultSentence).filter((one) => one !== null);
  return html`${
    said.length === 0
      ? html`<p>No cell has a verdict yet.</p>`
      : html`<ul class="say">
          ${said.map((text) => html`<li>${text}</li>`)}
        </ul>`
  }
  ${note(warnings(data))}
  ${intervalChart(
    'chart-pass',
    'pass@1 of each entry with its 95 % interval',
    entries.map(({ entry, pass1 }) => ({ label: entry.label, interval: pass1 })),
  )}
  ${scoreTable(entries)} ${besideTable(entries)}
  ${
    reach === null
      ? NOTHING
      : html`<h3>What so many tasks can show</h3>
          <p class="say">${reachSentence(reach)}</p>`
  }`;
}

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

function scoreTable(entries: readonly EntryReport[]): Html {
  const ks = shownKs(entries);
  return dataTable(
    'Score. n is the number of runs with a verdict of a task.',
    [
      ['Entry'],
      ['pass@1', 'num'],
      ['95 % interval', 'num'],
      ['Standard error', 'num'],
      ...ks.map((k) => [`pass@${k}`, 'num'] as const),
      ...ks.map((k) => [`pass^${k}`, 'num'] as const),
      ['Flips', 'num'],
      ['Tasks', 'num'],
      ['n', 'num'],
    ],
    entries.map((one) => {
      const { statistics, pass1 } = one;
      const tasks = statistics.tasks - statistics.tasksWithout;
      return [
        one.entry.label,
        html`<b>${percent(pass1.value)}</b>`,
        `${range(pass1)}${pass1.by === 'wilson' && tasks > 0 ? ' (Wilson)' : ''}`,
        percent(statistics.standardError),
        ...ks.map((k) => passText(statistics.passAt, k, tasks)),
        ...ks.map((k) => passText(statistics.passHat, k, tasks)),
        percent(statistics.flips),
        count(tasks),
        runsOfTask(one),
      ];
    }),
  );
}

function besideTable(entries: readonly EntryReport[]): Html {
  return dataTable(
    'Cells. Those without a verdict are in no share above.',
    [
      ['Entry'],
      ['Asked for', 'num'],
      ['With a verdict', 'num'],
      ['Solved', 'num'],
      ['Infra', 'num'],
      ['Unfinished', 'num'],
      ['Not begun', 'num'],
      ['Tried again', 'num'],
      ['Why infra'],
    ],
    entries.map(({ entry, planned, notBegun, retried, infra, statistics: { runs } }) => [
      entry.label,
      count(planned),
      count(runs.valid),
      count(runs.solved),
      count(runs.infra),
      count(runs.unfinished),
      count(notBegun),
      count(retried),
      infraText(infra),
    ]),
  );
}

export function infraText(infra: EntryReport['infra']): string {
  if (infra.length === 0) return '–';
  return infra
    .map(
      ({ reason, cells }) =>
        `${cells}: ${reason === null ? 'no reason on record' : INFRA_REASONS[reason]}`,
    )
    .join('; ');
}
