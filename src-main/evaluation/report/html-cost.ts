import { html, type Html } from '../../lib/index.ts';
import { curveChart, type CurveChart } from './curve-chart.ts';
import type { EntryReport } from './entry-report.ts';
import { note, NOTHING } from './html-parts.ts';
import { costRows, type CostRow } from './cost-rows.ts';
import { count, tokens } from './numbers.ts';

export function costSection(entries: readonly EntryReport[]): Html {
  const label = (entry: EntryReport) => entry.entry.label;
  const curve = (
    id: keyof EntryReport['curves'],
    rest: Pick<CurveChart, 'title' | 'axis' | 'show'>,
  ): Html =>
    curveChart({
      ...{ id: `chart-${id}`, ...rest },
      curves: entries.map((one) => ({ label: label(one), points: one.curves[id] })),
    });
  return html`${costTable(entries)}
    <h3>Solved for a cost</h3>
    ${curve('steps', { title: 'Solved within steps', axis: 'steps', show: count })}
    ${curve('tokens', { title: 'Solved within tokens', axis: 'tokens', show: tokens })}
    ${timeChart(entries)}
    ${note(
      entries
        .filter(({ uncounted }) => uncounted > 0)
        .map(
          (one) =>
            `${label(one)}: of ${count(one.uncounted)} solved runs no server counted the tokens; they are not in that curve.`,
        ),
    )}`;
}

/** Where the longest solved run took less, minutes would be fractions of one that all look alike. */
const MINUTES_FROM = 2;

function timeChart(entries: readonly EntryReport[]): Html {
  const longest = Math.max(0, ...entries.map(({ curves }) => curves.minutes.at(-1)?.cost ?? 0));
  const [unit, scale] = longest < MINUTES_FROM ? ['seconds', 60] : ['minutes', 1];
  return curveChart({
    ...{ id: 'chart-minutes', title: `Solved within ${unit}`, axis: unit, show: fraction },
    curves: entries.map(({ entry, curves }) => ({
      label: entry.label,
      points: curves.minutes.map(({ cost, solved }) => ({ cost: cost * scale, solved })),
    })),
  });
}

/** Three digits: ticks of an axis have no more. */
function fraction(value: number): string {
  return value < 10 ? String(Number(value.toPrecision(3))) : count(value);
}

/** Entries stand below each other, so that they can be compared line by line. */
function costTable(entries: readonly EntryReport[]): Html {
  const groups = Map.groupBy(costRows(entries), ({ cost }) => cost);
  return html`<div class="wide">
    <table class="data">
      <caption>
        Cost of a run with a verdict. Half and nine in ten of the runs cost at most so much.
      </caption>
      <thead>
        <tr>
          <th scope="col">Cost</th>
          <th scope="col">Entry</th>
          <th scope="col" class="num">Half</th>
          <th scope="col" class="num">Nine in ten</th>
          <th scope="col" class="num">All together</th>
        </tr>
      </thead>
      ${[...groups].map(
        ([cost, rows]) =>
          html`<tbody>
            ${rows.map((row, at) => costLine(row, at === 0 ? html`<th scope="rowgroup" rowspan="${rows.length}">${cost}</th>` : NOTHING))}
          </tbody>`,
      )}
    </table>
  </div>`;
}

function costLine({ entry, p50, p90, sum }: CostRow, first: Html): Html {
  return html`<tr>
    ${first}
    <td>${entry}</td>
    <td class="num">${p50}</td>
    <td class="num">${p90}</td>
    <td class="num">${sum}</td>
  </tr> `;
}
