import type { RunCell } from '../../contract/index.ts';
import { html, type Html } from '../../lib/index.ts';
import { NOTHING } from './html-parts.ts';
import type { ReportData, TaskRow } from './report-data.ts';
import { isValid } from '../statistics/index.ts';
import { MARKS, markOf, shortened, type Mark } from './words.ts';

const CLASSES: Readonly<Record<Mark, string>> = {
  resolved: 'g',
  never_fixed: 'f',
  partial: 'f',
  regression: 'r',
  fixed_with_regression: 'r',
  not_applied: 'f',
  empty: 'f',
  infra: 'i',
  unfinished: 'i',
  not_begun: 'o',
};

/** A sign for each task, entry and seed. `linked`: tasks that have a place in the list of reasons. */
export function taskSection({ tasks, created }: ReportData, linked: ReadonlySet<number>): Html {
  const seen = new Set(tasks.flatMap(({ cells }) => cells.flat().map(markOf)));
  return html`<ul class="legend">
      ${(Object.keys(MARKS) as Mark[])
        .filter((mark) => seen.has(mark))
        .map((mark) => html`<li><b>${MARKS[mark].sign}</b> ${MARKS[mark].words}</li>`)}
    </ul>
    <div class="wide">
      <table class="cells">
        <thead>
          <tr>
            <th scope="col" rowspan="2">Task</th>
            ${created.entries.map(
              ({ label }) =>
                html`<th scope="colgroup" class="of" colspan="${created.seeds.length + 1}">
                  ${label}
                </th>`,
            )}
          </tr>
          <tr>
            ${created.entries.map(
              () =>
                html`${created.seeds.map((seed) => html`<th scope="col" class="seed">${seed}</th>`)}
                  <th scope="col" class="sum">solved</th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${tasks.map((row, at) => rowOf(row, linked.has(at) ? at : null))}
        </tbody>
      </table>
    </div>`;
}

function rowOf({ task, cells }: TaskRow, place: number | null): Html {
  const name = shortened(task);
  return html`<tr>
    <th scope="row">${place === null ? html`${name}` : html`<a href="#t${place}">${name}</a>`}</th>
    ${cells.map(
      (own) =>
        html`${own.map(signOf)}
          <td class="sum">${sumOf(own)}</td>`,
    )}
  </tr> `;
}

const SIGNS = new Map(
  (Object.keys(MARKS) as Mark[]).map((mark) => [
    mark,
    html`<td class="s ${CLASSES[mark]}">${MARKS[mark].sign}</td>`,
  ]),
);

function signOf(cell: RunCell | null): Html {
  return SIGNS.get(markOf(cell)) ?? NOTHING;
}

function sumOf(cells: readonly (RunCell | null)[]): string {
  const valid = cells.filter((cell) => cell !== null && isValid(cell));
  return `${valid.filter((cell) => cell?.resolved).length} of ${valid.length}`;
}
