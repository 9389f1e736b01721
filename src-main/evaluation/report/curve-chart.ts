import { html, type Html } from '../../lib/index.ts';
import type { CurvePoint } from '../statistics/index.ts';
import { place, ticks } from './chart-scale.ts';
import { NOT_MEASURED, percent } from './numbers.ts';

const WIDTH = 400;
const HEIGHT = 230;
const LEFT = 44;
const RIGHT = 10;
const TOP = 10;
const BOTTOM = 40;
const INNER = { width: WIDTH - LEFT - RIGHT, height: HEIGHT - TOP - BOTTOM };

/** Lines differ in colour, dashes and by their number; after so many they come again. */
export const LINES = 6;

export interface Curve {
  label: string;
  points: readonly CurvePoint[];
}

export interface CurveChart {
  /** Our own word: it becomes part of an id. */
  id: string;
  title: string;
  axis: string;
  show: (cost: number) => string;
  curves: readonly Curve[];
}

/** A staircase for each entry, and the same in numbers beside it. */
export function curveChart(chart: CurveChart): Html {
  const max = Math.max(0, ...chart.curves.map(({ points }) => points.at(-1)?.cost ?? 0));
  if (max === 0) return html`<p>${chart.title}: ${NOT_MEASURED}, or nothing solved.</p>`;
  // A last step at the edge itself would not be seen.
  const xs = ticks(max * 1.02, 7);
  const end = xs.at(-1) ?? max;
  const best = Math.max(...chart.curves.map(({ points }) => points.at(-1)?.solved ?? 0));
  const ys = ticks(Math.max(0.1, best), 4);
  const top = Math.min(1, ys.at(-1) ?? 1);
  const x = (cost: number) => place(LEFT + (cost / end) * INNER.width);
  const y = (share: number) => place(TOP + (1 - share / top) * INNER.height);
  return html`<figure class="chart">
    <div class="picture">
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${chart.id}">
        <title id="${chart.id}">${chart.title}</title>
        ${ys.filter((share) => share <= top).map((share) => gridLine(y(share), percent(share)))}
        ${xs.map((cost) => tickOf(x(cost), chart.show(cost)))}
        <text class="axis" x="${LEFT + INNER.width / 2}" y="${HEIGHT - 4}">${chart.axis}</text>
        ${chart.curves.map(({ points }, at) => lineOf(at, pathOf(points, { x, y, end })))}
      </svg>
    </div>
    ${tableOf(chart, xs.slice(1))}
  </figure>`;
}

function gridLine(y: number, text: string): Html {
  return html`<path class="grid" d="M${LEFT} ${y}h${INNER.width}" />
    <text class="y" x="${LEFT - 5}" y="${y + 4}">${text.replace(/\.0 %$/, ' %')}</text>`;
}

function tickOf(x: number, text: string): Html {
  return html`<path class="grid" d="M${x} ${TOP + INNER.height}v4" />
    <text class="x" x="${x}" y="${TOP + INNER.height + 17}">${text}</text>`;
}

function lineOf(at: number, path: string): Html {
  return path === '' ? html`` : html`<path class="line l${at % LINES}" d="${path}" />`;
}

interface Scales {
  x: (cost: number) => number;
  y: (share: number) => number;
  end: number;
}

/** Steps that fall on the same place are drawn as one, so a curve stays as small as its picture. */
function pathOf(points: readonly CurvePoint[], { x, y, end }: Scales): string {
  if (points.length === 0) return '';
  const parts = [`M${x(0)} ${y(0)}`];
  for (const [at, { cost, solved }] of points.entries()) {
    const next = points[at + 1];
    if (next !== undefined && Math.round(x(next.cost)) === Math.round(x(cost))) continue;
    parts.push(`H${x(cost)}V${y(solved)}`);
  }
  return `${parts.join('')}H${x(end)}`;
}

function tableOf({ title, axis, show, curves }: CurveChart, costs: readonly number[]): Html {
  return html`<div class="wide">
    <table class="data">
      <caption>
        ${title}
      </caption>
      <thead>
        <tr>
          <th scope="col">${axis} at most</th>
          ${curves.map(({ label }, at) => html`<th scope="col" class="num">${keyOf(at)} ${label}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${costs.map(
          (cost) =>
            html`<tr>
              <th scope="row">${show(cost)}</th>
              ${curves.map(({ points }) => html`<td class="num">${within(points, cost)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function within(points: readonly CurvePoint[], cost: number): string {
  if (points.length === 0) return '–';
  return percent(points.findLast((point) => point.cost <= cost)?.solved ?? 0);
}

/** The line as it is drawn, before the name of its entry. */
export function keyOf(at: number): Html {
  return html`<svg class="key" viewBox="0 0 26 8" aria-hidden="true">
    <path class="line l${at % LINES}" d="M1 4h24" />
  </svg>`;
}
