import { html, type Html } from '../../lib/index.ts';
import type { EntryReport } from './entry-report.ts';
import { dataTable, note, NOTHING } from './html-parts.ts';
import { intervalChart } from './interval-chart.ts';
import { count, percent, range } from './numbers.ts';
import type { ReportData } from './report-data.ts';
import { infraText, passText, runsOfTask, shownKs } from './score-text.ts';
import { reachSentence, resultSentence, warnings } from './sentences.ts';

export function resultSection(data: ReportData): Html {
  const { entries, reach } = data;
  const said = entries.map((one) => resultSentence(one)).filter((one) => one !== null);
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
