import { html, type Html } from '../../lib/index.ts';
import type { Interval } from '../statistics/index.ts';
import { place, ticks } from './chart-scale.ts';
import { withRange } from './numbers.ts';
import { shortened } from './words.ts';

const WIDTH = 800;
const LEFT = 250;
const RIGHT = 185;
const ROW = 30;
const AXIS = 24;
/** Names beyond it are shortened in the picture; the table below has them whole. */
const MOST_NAME = 38;

/** One line for each entry: its value with its interval, on one scale from 0. */
export function intervalChart(
  id: string,
  title: string,
  rows: readonly { label: string; interval: Interval }[],
): Html {
  const known = rows.filter(({ interval }) => Number.isFinite(interval.value));
  if (known.length === 0) return html``;
  const marks = ticks(Math.max(...known.map(({ interval }) => interval.high)), 5);
  const end = Math.min(1, marks.at(-1) ?? 1);
  const height = known.length * ROW + AXIS;
  const x = (share: number) => place(LEFT + (share / end) * (WIDTH - LEFT - RIGHT));
  return html`<figure class="intervals">
    <svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="${id}">
      <title id="${id}">${title}</title>
      ${marks
        .filter((share) => share <= end)
        .map(
          (share) =>
            html`<path class="grid" d="M${x(share)} 0v${height - AXIS + 4}" />
              <text class="x" x="${x(share)}" y="${height - 6}"
                >${Math.round(share * 100)} %</text
              >`,
        )}
      ${known.map(({ label, interval }, at) => rowOf(label, interval, { x, y: at * ROW + ROW / 2 }))}
    </svg>
  </figure>`;
}

function rowOf(
  label: string,
  interval: Interval,
  { x, y }: { x: (share: number) => number; y: number },
): Html {
  const [low, high] = [x(interval.low), x(interval.high)];
  const name = shortened(label, MOST_NAME);
  return html`<text class="name" x="0" y="${y + 4}">${name}</text>
    <path class="line l0" d="M${low} ${y}H${high}M${low} ${y - 6}v12M${high} ${y - 6}v12" />
    <circle class="dot" cx="${x(interval.value)}" cy="${y}" r="4.5" />
    <text class="value" x="${WIDTH}" y="${y + 4}">${withRange(interval)}</text>`;
}
