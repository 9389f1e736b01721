import { html, reportPage, type Html } from '../../lib/index.ts';
import type { CalibratedTask, Calibration } from './calibration-file.ts';

const WIDTH = 800;
const LEFT = 260;
const RIGHT = 60;
const ROW = 20;
const AXIS = 24;
/** Names beyond it are shortened in the picture; the table has them whole. */
const MOST_NAME = 38;
const MARKS = [0, 0.25, 0.5, 0.75, 1];

const STYLE = `
.soft { color: var(--soft); } figure { margin: 1rem 0; overflow-x: auto; }
svg { width: 100%; max-width: 60rem; display: block; }
svg text { font: 11.5px system-ui, sans-serif; fill: var(--fg); }
svg .x { text-anchor: middle; fill: var(--soft); } svg .value { text-anchor: end; }
.band { fill: var(--hunk); } .grid { stroke: var(--line); }
.kept { stroke: var(--good); fill: var(--good); stroke-width: 2; }
.left { stroke: var(--soft); fill: var(--bg); stroke-width: 2; }
.wide { overflow-x: auto; } .num { text-align: right; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--line); }
`;

/** The calibration as one file for mail and archives: no script, nothing loaded. */
export function calibrationPage(calibration: Calibration): Uint8Array {
  const { modelName, scaffoldName, tasks, at, settings } = calibration;
  const title = `Calibration: ${modelName} x ${scaffoldName}`;
  const kept = tasks.filter((task) => task.kept).length;
  const used = tasks.reduce((sum, { probes }) => sum + probes, 0);
  const { low, high } = settings.band;
  const body = html`<header>
      <h1>${title}</h1>
      <p class="soft">
        ${kept} of ${tasks.length} tasks kept, ${used} probes, ${new Date(at).toISOString()}
      </p>
    </header>
    <main>
      <h2>Frontier</h2>
      ${chart(calibration)}
      <p class="soft">
        Line: 0.95 credible interval of the pass rate. Dot: share solved, filled for kept tasks.
        Shaded: the band from ${low} to ${high}.
      </p>
      <h2>Tasks</h2>
      ${table(tasks)}
    </main>`;
  return reportPage({ title, style: STYLE, body });
}

/** Sorted by rate: the frontier lies between what is always and what is never solved. */
function chart({ tasks, settings }: Calibration): Html {
  const rate = ({ solved, probes }: CalibratedTask) => (solved + 0.5) / (probes + 1);
  const rows = tasks.toSorted((a, b) => rate(b) - rate(a));
  const height = rows.length * ROW + AXIS;
  const { low, high } = settings.band;
  const below = height - AXIS;
  return html`<figure>
    <svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="frontier">
      <title id="frontier">Pass rates of ${tasks.length} tasks with their intervals</title>
      <rect class="band" x="${x(low)}" y="0" width="${x(high) - x(low)}" height="${below}" />
      ${MARKS.map(
        (mark) =>
          html`<path class="grid" d="M${x(mark)} 0v${below}" /><text
              class="x"
              x="${x(mark)}"
              y="${height - 6}"
              >${mark}</text
            >`,
      )}
      ${rows.map((task, at) => row(task, at * ROW + ROW / 2))}
    </svg>
  </figure>`;
}

function row({ name, solved, probes, interval, kept }: CalibratedTask, y: number): Html {
  const shown = name.length > MOST_NAME ? `${name.slice(0, MOST_NAME - 1)}…` : name;
  const kind = kept ? 'kept' : 'left';
  const dot =
    probes === 0
      ? html``
      : html`<circle class="${kind}" cx="${x(solved / probes)}" cy="${y}" r="4" />`;
  return html`<text x="0" y="${y + 4}">${shown}</text>
    <path class="${kind}" d="M${x(interval.low)} ${y}H${x(interval.high)}" />${dot}
    <text class="value" x="${WIDTH}" y="${y + 4}">${solved}/${probes}</text>`;
}

/** To a tenth of the unit: finer is not seen. */
function x(rate: number): number {
  return Math.round((LEFT + rate * (WIDTH - LEFT - RIGHT)) * 10) / 10;
}

const HEADINGS = ['Solved', '0.95 interval', 'In band', 'p(1-p)', 'Next probe buys'];

function table(tasks: readonly CalibratedTask[]): Html {
  return html`<div class="wide">
    <table>
      <thead>
        <tr>
          <th scope="col">Task</th>
          ${HEADINGS.map((heading) => html`<th scope="col" class="num">${heading}</th>`)}
          <th scope="col">Class</th>
          <th scope="col">Kept</th>
        </tr>
      </thead>
      <tbody>
        ${tasks.map(tableRow)}
      </tbody>
    </table>
  </div>`;
}

function tableRow(task: CalibratedTask): Html {
  const { low, high } = task.interval;
  const figures = [
    `${task.solved}/${task.probes}`,
    task.probes === 0 ? '-' : `${low.toFixed(2)} to ${high.toFixed(2)}`,
    `${Math.round(100 * task.inBand)} %`,
    task.learnability?.toFixed(3) ?? '-',
    task.nextProbeBuys.toFixed(3),
  ];
  return html`<tr>
    <th scope="row">${task.name}</th>
    ${figures.map((figure) => html`<td class="num">${figure}</td>`)}
    <td>${task.bugClass ?? '-'}</td>
    <td class="${task.kept ? 'good' : 'soft'}">
      ${task.kept ? 'yes' : 'no'}: ${task.why.replaceAll('_', ' ')}
    </td>
  </tr>`;
}
