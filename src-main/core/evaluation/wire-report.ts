import type { ComparisonRow, EntryReportRow, RunReport } from '../../contract/index.ts';
import {
  comparisonSentence,
  reachSentence,
  warnings,
  type ReportData,
} from '../../evaluation/index.ts';

type EntryReport = ReportData['entries'][number];
type Suspect = RunReport['suspects'][number];

/** A picture needs no more, and the wire is spared. */
const MOST_POINTS = 200;
const MOST_SUSPECTS = 300;

/** What screens show of a report. Figures that are no number become `null` on their way. */
export function wireReport(
  data: ReportData,
  more: Pick<RunReport, 'number' | 'timeLeft' | 'stoppable'>,
): RunReport {
  const { created } = data;
  return {
    ...more,
    summary: data.run,
    ...{ tasksFolder: created.tasksFolder, tasksHash: created.tasksHash },
    tasks: created.tasks.map(({ name }) => name),
    ...{ seeds: created.seeds, settings: created.settings, environment: created.environment },
    entries: data.entries.map(wireEntry),
    comparisons: data.comparisons.map(wireComparison),
    reach: data.reach === null ? null : { ...data.reach, sentence: reachSentence(data.reach) },
    labels: data.labels,
    warnings: warnings(data),
    suspects: suspectsOf(data),
  };
}

function wireEntry({ statistics, curves, ...report }: EntryReport): EntryReportRow {
  const { tasks, tasksWithout, runs, seeds, passAt, passHat, flips, tokens, seconds } = statistics;
  const { entry, pass1, planned, notBegun, retried, infra, bounds, matrix } = report;
  return {
    ...{ entry, tasks, tasksWithout, runs, seeds, passAt, passHat, flips },
    ...{ pass1, planned, notBegun, retried, infra, bounds, matrix },
    ...{ premature: report.premature, suspicions: report.suspicions },
    costs: {
      steps: statistics.steps,
      promptTokens: tokens.prompt,
      completionTokens: tokens.completion,
      cachedShare: tokens.cachedShare,
      totalSeconds: seconds.total,
      modelSeconds: seconds.model,
      toolsSeconds: seconds.tools,
      gradingSeconds: seconds.grading,
      peakMemoryBytes: statistics.peakMemoryBytes,
      energyJoules: statistics.energyJoules,
    },
    curves: {
      steps: thinned(curves.steps),
      tokens: thinned(curves.tokens),
      minutes: thinned(curves.minutes),
    },
  };
}

export function wireComparison(one: ReportData['comparisons'][number]): ComparisonRow {
  const { a, b, changedTasks, adjustedP, result } = one;
  return { a, b, changedTasks, adjustedP, ...result, sentence: comparisonSentence(one) };
}

/** Evenly, with the first and the last one. */
function thinned<T>(points: readonly T[]): T[] {
  if (points.length <= MOST_POINTS) return [...points];
  const step = (points.length - 1) / (MOST_POINTS - 1);
  return Array.from({ length: MOST_POINTS }, (_, at) => points[Math.round(at * step)]).filter(
    (point) => point !== undefined,
  );
}

/** Those of solved cells first: they change what the score says. */
function suspectsOf({ tasks }: ReportData): Suspect[] {
  const cells = tasks.flatMap((row) => row.cells.flat()).filter((cell) => cell !== null);
  const all = cells.flatMap(({ sessionId, task, entry, seed, resolved, suspicions }) =>
    suspicions.map((one) => ({
      ...one,
      ...{ session: sessionId, task, entry, seed, solved: resolved },
    })),
  );
  return all.toSorted((a, b) => Number(b.solved) - Number(a.solved)).slice(0, MOST_SUSPECTS);
}
