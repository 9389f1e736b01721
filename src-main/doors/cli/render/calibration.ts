import type { CalibratedTask, CalibrationReport } from '../../../core/index.ts';
import { oneLine, pathText } from './safe-text.ts';
import { renderTable } from './table.ts';

const CELLS = 40;
/** Longer charts are no longer looked at. */
const CHARTED = 24;

const WORDS = {
  in_band: 'in the band',
  unsolved_slice: 'never solved, one of the slice',
  too_easy: 'too easy',
  too_hard: 'too hard',
  never_solved: 'never solved',
  class_full: 'its class is full',
  not_probed: 'too few verdicts',
} as const satisfies Record<CalibratedTask['why'], string>;

/** The table of the tasks, the chart of those at the frontier, and the counts. */
export function renderCalibration(report: CalibrationReport, columns: number | null): string {
  const rows = report.tasks.map((task) => [
    oneLine(task.name),
    `${task.solved}/${task.probes}`,
    rateText(task),
    task.kept ? 'yes' : 'no',
    WORDS[task.why],
  ]);
  const heading = ['TASK', 'SOLVED', 'PASS RATE', 'KEPT', 'WHY'];
  const table = renderTable(heading, rows, columns);
  return [table, frontierChart(report), `${summary(report)}\n`].join('\n');
}

function rateText({ solved, probes, interval }: CalibratedTask): string {
  if (probes === 0) return '-';
  const { low, high } = interval;
  return `${(solved / probes).toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}

/**
 * Where pass rates likely are, from 0 to 1: the interval as a line, what was found as a dot, the
 * edges of the band as bars. What may still change its side comes first.
 */
export function frontierChart({ tasks, settings }: CalibrationReport): string {
  const likely = (task: CalibratedTask) => Math.abs(task.inBand - 0.5);
  const chosen = tasks.toSorted((a, b) => likely(a) - likely(b)).slice(0, CHARTED);
  const edges = [settings.band.low, settings.band.high].map(cellOf);
  const rows = chosen.map((task) => [
    oneLine(task.name),
    bar(task, edges),
    `${Math.round(100 * task.inBand)} %`,
    task.nextProbeBuys.toFixed(3),
  ]);
  const scale = `0${'1'.padStart(CELLS - 1)}`;
  const table = renderTable(['FRONTIER', scale, 'IN BAND', 'NEXT PROBE BUYS'], rows, null);
  const more = tasks.length - chosen.length;
  return more === 0 ? table : `${table}... and ${more} more that are more certain\n`;
}

const cellOf = (rate: number) => Math.min(CELLS - 1, Math.floor(rate * CELLS));

function bar({ solved, probes, interval }: CalibratedTask, edges: readonly number[]): string {
  const low = cellOf(interval.low);
  const high = cellOf(interval.high);
  const found = probes === 0 ? -1 : cellOf(solved / probes);
  return Array.from({ length: CELLS }, (_, cell) => {
    if (cell === found) return '●';
    if (edges.includes(cell)) return '|';
    return cell >= low && cell <= high ? '─' : ' ';
  }).join('');
}

/** Classes with something at the frontier. */
function classesText({ classes, rounds }: CalibrationReport['frontier']): string[] {
  const found = classes.filter(({ atFrontier }) => atFrontier > 0);
  const shares = found.map((one) => `${oneLine(one.kind)} ${one.atFrontier} of ${one.tasks}`);
  const done = rounds.filter((round) => round.done).length;
  return [
    ...(shares.length === 0 ? [] : [`at the frontier: ${shares.join(', ')}`]),
    ...(done === 0 ? [] : [`rounds of synthesis: ${done}`]),
  ];
}

function summary(report: CalibrationReport): string {
  const { tasks, settings, runs, file, out } = report;
  const kept = tasks.filter((task) => task.kept).length;
  const used = tasks.reduce((sum, { probes }) => sum + probes, 0);
  const worth = tasks.filter(
    ({ probes, nextProbeBuys }) => probes >= settings.first && nextProbeBuys >= settings.worth,
  ).length;
  const made =
    runs.length === 0 ? 'all were on record' : `${runs.length} runs: \`vivarium eval show RUN\``;
  return [
    `${kept} of ${tasks.length} tasks kept; ${used} probes (${made})`,
    `one more probe would be worth it for ${worth} (--max-probes is ${settings.most})`,
    ...classesText(report.frontier),
    `kept in ${pathText(file)}${out === null ? '' : `; tasks in ${pathText(out)}`}`,
  ].join('\n');
}
