import { html, type Html } from '../../lib/index.ts';
import { curveChart, type CurveChart } from './curve-chart.ts';
import type { EntryReport } from './entry-report.ts';
import { dataTable, note } from './html-parts.ts';
import { costRows } from './cost-rows.ts';
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
  const several = entries.length > 1;
  return html`${dataTable(
      'Cost of a run with a verdict. Half and nine in ten of the runs cost at most so much.',
      [
        ['Cost'],
        ...(several ? [['Entry'] as const] : []),
        ['Half', 'num'],
        ['Nine in ten', 'num'],
        ['All together', 'num'],
      ],
      costRows(entries).map(({ cost, entry, p50, p90, sum }, at) => [
        at % entries.length === 0 ? cost : '',
        ...(several ? [entry] : []),
        ...[p50, p90, sum],
      ]),
    )}
    <h3>Solved for a cost</h3>
    ${curve('steps', { title: 'Solved within steps', axis: 'steps', show: count })}
    ${curve('tokens', { title: 'Solved within tokens', axis: 'tokens', show: tokens })}
    ${curve('minutes', { title: 'Solved within minutes', axis: 'minutes', show: minutes })}
    ${note(
      entries
        .filter(({ uncounted }) => uncounted > 0)
        .map(
          (one) =>
            `${label(one)}: of ${count(one.uncounted)} solved runs no server counted the tokens; they are not in that curve.`,
        ),
    )}`;
}

function minutes(value: number): string {
  return value < 10 && !Number.isInteger(value) ? String(Number(value.toFixed(2))) : count(value);
}
