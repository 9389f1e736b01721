import type { RunCell, RunSummary } from '../../contract/index.ts';
import {
  expectedSpread,
  KNOWN_FLIPS,
  smallestDifference,
  tasksNeeded,
} from '../statistics/index.ts';
import { comparisonsOf, settingsThatDiffer, type ComparisonReport } from './comparisons.ts';
import { entryReport, type EntryReport } from './entry-report.ts';
import type { RunOnRecord } from './run-on-record.ts';

/** Everything a report shows, as numbers; how it is shown is for each format to say. */
export interface ReportData {
  run: RunSummary;
  created: RunOnRecord['created'];
  entries: EntryReport[];
  /** Pairs of entries of this run, then entries against those of the other run. */
  comparisons: ComparisonReport[];
  tasks: TaskRow[];
  /** What so many tasks can show at all; `null` without tasks or seeds. */
  reach: {
    tasks: number;
    seeds: number;
    /** Chance that two runs of a task differ: measured here, else that of the reference. */
    flips: number;
    flipsMeasured: boolean;
    smallest: number;
    needed: { difference: number; tasks: number }[];
  } | null;
  /** Hand labels, by how often. */
  labels: { label: string; cells: number }[];
  /** The run it is compared with, and in what the two were run otherwise; `null` = none. */
  other: { run: RunSummary; differences: string[] } | null;
}

/** One task with its cells by entry and seed; a cell that never began is `null`. */
export interface TaskRow {
  task: string;
  hash: string;
  cells: (RunCell | null)[][];
}

/** Differences whose price in tasks is worth a line. */
const ASKED_DIFFERENCES = [0.1, 0.05, 0.02];
/** With fewer tasks their flips are no measure: too few would promise too much. */
const LEAST_TO_MEASURE = 30;

/** @param other a run to compare with: entries of the same label, else each with each */
export function reportData(run: RunOnRecord, other: RunOnRecord | null = null): ReportData {
  const { created, cells } = run;
  const entries = created.entries.map((entry, at) =>
    entryReport(
      entry,
      cells.filter((cell) => cell.entry === at),
      { tasks: created.tasks.length, seeds: created.seeds.length },
    ),
  );
  return {
    run: run.summary,
    created,
    entries,
    comparisons: comparisonsOf(run, other),
    tasks: taskRows(run),
    reach: reachOf(run.created, entries),
    labels: labelsOf(cells),
    other:
      other === null
        ? null
        : { run: other.summary, differences: settingsThatDiffer(other.created, created) },
  };
}

function taskRows({ created, cells }: RunOnRecord): TaskRow[] {
  const at = new Map(cells.map((cell) => [`${cell.entry} ${cell.seed} ${cell.task}`, cell]));
  return created.tasks.map(({ name, hash }) => ({
    ...{ task: name, hash },
    cells: created.entries.map((_, entry) =>
      created.seeds.map((seed) => at.get(`${entry} ${seed} ${name}`) ?? null),
    ),
  }));
}

function reachOf(
  { tasks, seeds }: RunOnRecord['created'],
  entries: readonly EntryReport[],
): ReportData['reach'] {
  if (tasks.length === 0 || seeds.length === 0) return null;
  const measured = entries
    .map(({ statistics }) => statistics.flips)
    .filter((flips) => flips !== null);
  const mean = measured.reduce((sum, one) => sum + one, 0) / measured.length;
  const flipsMeasured = mean > 0 && tasks.length >= LEAST_TO_MEASURE;
  const flips = flipsMeasured ? mean : KNOWN_FLIPS;
  const spread = expectedSpread(flips, seeds.length);
  return {
    ...{ tasks: tasks.length, seeds: seeds.length, flips, flipsMeasured },
    smallest: smallestDifference(tasks.length, spread),
    needed: ASKED_DIFFERENCES.map((difference) => ({
      difference,
      tasks: tasksNeeded(difference, spread),
    })),
  };
}

function labelsOf(cells: readonly RunCell[]): ReportData['labels'] {
  const labels = cells.flatMap(({ label }) => (label === null ? [] : [label.label]));
  return [...Map.groupBy(labels, (label) => label)]
    .map(([label, all]) => ({ label, cells: all.length }))
    .sort((a, b) => b.cells - a.cells || (a.label < b.label ? -1 : 1));
}
