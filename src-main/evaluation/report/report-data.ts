import type {
  Ending,
  EventOf,
  Outcome,
  RunCell,
  RunEntry,
  RunSummary,
  Suspicion,
} from '../../contract/index.ts';
import {
  compareEntries,
  COSTS,
  costCurve,
  entryStatistics,
  expectedSpread,
  KNOWN_FLIPS,
  smallestDifference,
  tasksNeeded,
  type Comparison,
  type CurvePoint,
  type EntryStatistics,
} from '../statistics/index.ts';

/** A run as it is on record: what was asked for, and what came of it. */
export interface RunOnRecord {
  summary: RunSummary;
  created: EventOf<'run.created'>;
  cells: readonly RunCell[];
}

/** Everything a report shows, as numbers; how it is shown is for each format to say. */
export interface ReportData {
  run: RunSummary;
  created: EventOf<'run.created'>;
  entries: EntryReport[];
  /** Pairs of entries of this run, then entries against those of the other run. */
  comparisons: { a: string; b: string; result: Comparison }[];
  tasks: TaskRow[];
  /** What so many tasks can show at all. */
  reach: {
    tasks: number;
    seeds: number;
    /** Chance that two runs of a task differ: measured here, else that of the reference. */
    flips: number;
    flipsMeasured: boolean;
    smallest: number;
    needed: { difference: number; tasks: number }[];
  };
  /** Hand labels, by how often. */
  labels: { label: string; cells: number }[];
  /** The run it is compared with; `null` = none. */
  other: RunSummary | null;
}

export interface EntryReport {
  entry: RunEntry;
  statistics: EntryStatistics;
  /** Counts of cells by outcome and ending; infra and unfinished ones included. */
  matrix: { outcome: Outcome | null; ending: Ending | null; cells: number }[];
  premature: number;
  /** Cells with at least one suspicion of the kind, and those of them that were solved. */
  suspicions: { kind: Suspicion['kind']; cells: number; solved: number }[];
  curves: Record<keyof typeof COSTS, CurvePoint[]>;
}

/** One task with its cells by entry and seed; a cell that never began is `null`. */
export interface TaskRow {
  task: string;
  hash: string;
  cells: (RunCell | null)[][];
}

/** Differences whose price in tasks is worth a line. */
const ASKED_DIFFERENCES = [0.1, 0.05, 0.02];

/** @param other a run to compare with: entries of the same label, else each with each */
export function reportData(run: RunOnRecord, other: RunOnRecord | null = null): ReportData {
  const { created, cells } = run;
  const entries = created.entries.map((entry, at) => entryReport(entry, cellsOf(cells, at)));
  return {
    run: run.summary,
    created,
    entries,
    comparisons: [...within(run), ...(other === null ? [] : between(other, run))],
    tasks: taskRows(run),
    reach: reachOf(created, entries),
    labels: labelsOf(cells),
    other: other?.summary ?? null,
  };
}

function cellsOf(cells: readonly RunCell[], entry: number): RunCell[] {
  return cells.filter((cell) => cell.entry === entry);
}

function entryReport(entry: RunEntry, cells: readonly RunCell[]): EntryReport {
  const pairs = Map.groupBy(cells, ({ outcome, ending }) => `${outcome} ${ending}`);
  const kinds = new Set(cells.flatMap(({ suspicions }) => suspicions.map(({ kind }) => kind)));
  return {
    entry,
    statistics: entryStatistics(cells),
    matrix: [...pairs.values()].map((group) => ({
      outcome: group[0]?.outcome ?? null,
      ending: group[0]?.ending ?? null,
      cells: group.length,
    })),
    premature: cells.filter(({ premature }) => premature).length,
    suspicions: [...kinds].toSorted().map((kind) => {
      const found = cells.filter(({ suspicions }) => suspicions.some((one) => one.kind === kind));
      return { kind, cells: found.length, solved: found.filter((one) => one.resolved).length };
    }),
    curves: {
      steps: costCurve(cells, COSTS.steps),
      tokens: costCurve(cells, COSTS.tokens),
      minutes: costCurve(cells, COSTS.minutes),
    },
  };
}

function within({ created, cells }: RunOnRecord): ReportData['comparisons'] {
  return created.entries.flatMap((a, first) =>
    created.entries.slice(first + 1).map((b, more) => ({
      ...{ a: a.label, b: b.label },
      result: compareEntries(cellsOf(cells, first), cellsOf(cells, first + 1 + more)),
    })),
  );
}

/** Only cells of tasks that are the same in both runs: evidence is bound to a task's content. */
function between(other: RunOnRecord, run: RunOnRecord): ReportData['comparisons'] {
  const hashes = new Map(other.created.tasks.map(({ name, hash }) => [name, hash]));
  const same = new Set(
    run.created.tasks.filter(({ name, hash }) => hashes.get(name) === hash).map(({ name }) => name),
  );
  const keep = (cells: readonly RunCell[]) => cells.filter(({ task }) => same.has(task));
  const pairs = run.created.entries.flatMap((b, two) =>
    other.created.entries.map((a, one) => ({ a, b, one, two })),
  );
  const alike = pairs.filter(({ a, b }) => a.label === b.label);
  return (alike.length > 0 ? alike : pairs).map(({ a, b, one, two }) => ({
    a: `${a.label} (${other.summary.name})`,
    b: `${b.label} (${run.summary.name})`,
    result: compareEntries(keep(cellsOf(other.cells, one)), keep(cellsOf(run.cells, two))),
  }));
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
  { tasks, seeds }: EventOf<'run.created'>,
  entries: readonly EntryReport[],
): ReportData['reach'] {
  const measured = entries
    .map(({ statistics }) => statistics.flips)
    .filter((flips) => flips !== null);
  // Fewer flips than there are tasks to tell them by would promise too much.
  const mean = measured.reduce((sum, one) => sum + one, 0) / measured.length;
  const flipsMeasured = measured.length > 0 && mean > 0 && tasks.length >= 30;
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
