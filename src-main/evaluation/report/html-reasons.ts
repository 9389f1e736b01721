import { html, type Html } from '../../lib/index.ts';
import { NOTHING } from './html-parts.ts';
import { count, plural } from './numbers.ts';
import { taskReasons, type CellReason } from './reasons.ts';
import type { ReportData } from './report-data.ts';

/** Beyond so many lines the list is for the other formats: a page has to stay light. */
const MOST_LINES = 4000;

const BREAK = html`<br />`;

/** Why cells are not solved, and what else is to be said of them, by task. */
export function reasonSection(data: ReportData): { body: Html; linked: ReadonlySet<number> } {
  const linked = new Set<number>();
  const groups: Html[] = [];
  let lines = 0;
  let left = 0;
  for (const [at, row] of data.tasks.entries()) {
    const reasons = taskReasons(row, data.created);
    if (reasons.length === 0) continue;
    if (lines >= MOST_LINES) {
      left += reasons.length;
      continue;
    }
    lines += reasons.length;
    linked.add(at);
    groups.push(groupOf(at, reasons[0]?.task ?? '', reasons));
  }
  if (groups.length === 0) return { body: html`<p>All cells are solved.</p>`, linked };
  const body = html`<table class="why">
      <thead>
        <tr>
          <th scope="col">Entry, seeds</th>
          <th scope="col">Outcome, ending</th>
          <th scope="col">Steps</th>
          <th scope="col">Why</th>
        </tr>
      </thead>
      ${groups}
    </table>
    ${left === 0 ? NOTHING : html`<p class="warn">${count(left)} more lines are left out; the CSV and JSON reports have every cell.</p>`}`;
  return { body, linked };
}

function groupOf(at: number, task: string, reasons: readonly CellReason[]): Html {
  return html`<tbody id="t${at}">
    <tr>
      <th scope="rowgroup" colspan="4">${task}</th>
    </tr>
    ${reasons.map(lineOf)}
  </tbody> `;
}

function lineOf({ entry, seeds, outcome, steps, reason, extra, label }: CellReason): Html {
  const { text, unmet, more } = reason;
  const lines = [
    ...(text === '' ? [] : [html`${text}`]),
    ...unmet.map((test) => html`<code>${test}</code>`),
    ...(more > 0 ? [html`and ${plural(more, 'more test')}`] : []),
    ...extra.map((one) => html`${one}`),
    ...(label === null ? [] : [html`<b class="tag">${label.label}</b> ${label.note}`]),
  ];
  return html`<tr>
    <td>${entry}${entry === '' ? '' : ', '}${seeds}</td>
    <td>${outcome}</td>
    <td>${steps}</td>
    <td>${lines.map((line, at) => html`${at === 0 ? NOTHING : BREAK}${line}`)}</td>
  </tr> `;
}
