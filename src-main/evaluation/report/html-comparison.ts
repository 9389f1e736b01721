import { html, type Html } from '../../lib/index.ts';
import type { ComparisonReport } from './comparisons.ts';
import { dataTable, NOTHING } from './html-parts.ts';
import { chance, count, points, range } from './numbers.ts';
import { canShow, comparisonSentence } from './sentences.ts';
import { shortened } from './words.ts';

const MOST_NAMED = 60;

export function comparisonSection(comparisons: readonly ComparisonReport[]): Html {
  const many = comparisons.length > 1;
  return html`<ul class="say">
      ${comparisons.map((one) => html`<li>${comparisonSentence(one)}</li>`)}
    </ul>
    ${dataTable(
      'B against A on the same tasks.',
      [
        ['B against A'],
        ['B less A, points', 'num'],
        ['95 % interval', 'num'],
        ['Exact p', 'num'],
        ...(many ? [['p after Holm', 'num'] as const] : []),
        ['Better in B', 'num'],
        ['Worse in B', 'num'],
        ['Same', 'num'],
        ['Tasks', 'num'],
        ['Left out', 'num'],
        ['Can show', 'num'],
        ['Tasks needed', 'num'],
      ],
      comparisons.map((one) => rowOf(one, many)),
    )}
    ${comparisons.some(({ result }) => result.better.length + result.worse.length > 0) ? html`<h3>Tasks that differ</h3>` : NOTHING}
    ${comparisons.map(flipsOf)}`;
}

function rowOf(
  { a, b, result, adjustedP, changedTasks }: ComparisonReport,
  many: boolean,
): (string | Html)[] {
  const { difference, p, better, worse, same, tasks, leftOut, needed } = result;
  return [
    html`${b}<br />against ${a}`,
    ...[points(difference.value), range(difference), chance(p)],
    ...(many ? [chance(adjustedP)] : []),
    ...[better.length, worse.length, same, tasks].map(count),
    `${count(leftOut)}${changedTasks > 0 ? ` (${changedTasks} of other content)` : ''}`,
    canShow(result),
    needed === null ? '–' : count(needed),
  ];
}

function flipsOf({ a, b, result }: ComparisonReport): Html {
  const list = (title: string, names: readonly string[]): Html =>
    names.length === 0
      ? NOTHING
      : html`<p>
          ${title} (${names.length}):
          ${names.slice(0, MOST_NAMED).map((name) => html`<code>${shortened(name)}</code> `)}
          ${names.length > MOST_NAMED ? html`and ${names.length - MOST_NAMED} more` : NOTHING}
        </p>`;
  return html`${list(`${b} better than ${a}`, result.better)}
  ${list(`${b} worse than ${a}`, result.worse)}`;
}
