import type {
  Ending,
  InfraReason,
  Outcome,
  RunCell,
  RunEntry,
  Suspicion,
} from '../../contract/index.ts';
import {
  COSTS,
  costCurve,
  entryStatistics,
  isValid,
  wilson,
  type CurvePoint,
  type EntryStatistics,
  type Interval,
} from '../statistics/index.ts';

/** What one entry came to. Cells without a verdict are beside every figure, in none. */
export interface EntryReport {
  entry: RunEntry;
  statistics: EntryStatistics;
  /** Mean over tasks. `wilson`: over tasks, where all came to the same and drawing them again shows nothing. */
  pass1: Interval & { by: 'bootstrap' | 'wilson' };
  /** Cells that were asked for, and those of them that never began. */
  planned: number;
  notBegun: number;
  /** Cells that took more than one try, and why cells came to no verdict. */
  retried: number;
  infra: { reason: InfraReason | null; cells: number }[];
  /** Share of all planned cells if none of those without verdict were solved, and if all were. */
  bounds: { low: number; high: number };
  /** Counts of cells by outcome and ending, largest first; infra and unfinished ones included. */
  matrix: { outcome: Outcome | null; ending: Ending | null; cells: number }[];
  /** Of cells with a verdict. */
  premature: { cells: number; solved: number };
  /** Cells with at least one suspicion of the kind, and those of them that were solved. */
  suspicions: { kind: Suspicion['kind']; cells: number; solved: number }[];
  curves: Record<keyof typeof COSTS, CurvePoint[]>;
  /** Solved cells whose tokens no server counted: not in that curve. */
  uncounted: number;
}

/** @param cells of this entry alone */
export function entryReport(
  entry: RunEntry,
  cells: readonly RunCell[],
  plan: { tasks: number; seeds: number },
): EntryReport {
  const statistics = entryStatistics(cells);
  const valid = cells.filter(isValid);
  const { solved } = statistics.runs;
  const planned = Math.max(plan.tasks * plan.seeds, cells.length);
  const curves = {
    steps: costCurve(cells, COSTS.steps),
    tokens: costCurve(cells, COSTS.tokens),
    minutes: costCurve(cells, COSTS.minutes),
  };
  return {
    ...{ entry, statistics, planned, curves },
    pass1: intervalOf(statistics),
    notBegun: planned - cells.length,
    retried: cells.filter(({ tries }) => tries > 1).length,
    infra: infraOf(cells),
    bounds: { low: solved / planned, high: (solved + planned - valid.length) / planned },
    matrix: matrixOf(cells),
    premature: countOf(valid.filter(({ premature }) => premature)),
    suspicions: suspicionsOf(cells),
    uncounted: solved - curves.tokens.length,
  };
}

function intervalOf({ pass1, tasks, tasksWithout }: EntryStatistics): EntryReport['pass1'] {
  const n = tasks - tasksWithout;
  if (n === 0 || pass1.high > pass1.low) return { ...pass1, by: 'bootstrap' };
  return { ...wilson(pass1.value * n, n), value: pass1.value, by: 'wilson' };
}

function countOf(cells: readonly RunCell[]): { cells: number; solved: number } {
  return { cells: cells.length, solved: cells.filter((one) => one.resolved).length };
}

function infraOf(cells: readonly RunCell[]): EntryReport['infra'] {
  const infra = cells.filter(({ state }) => state === 'infra');
  return [...Map.groupBy(infra, ({ grading }) => grading?.infra?.reason ?? null)]
    .map(([reason, all]) => ({ reason, cells: all.length }))
    .sort((a, b) => b.cells - a.cells);
}

function matrixOf(cells: readonly RunCell[]): EntryReport['matrix'] {
  const pairs = Map.groupBy(cells, ({ outcome, ending }) => `${outcome} ${ending}`);
  return [...pairs.values()]
    .map((group) => ({
      outcome: group[0]?.outcome ?? null,
      ending: group[0]?.ending ?? null,
      cells: group.length,
    }))
    .sort((a, b) => b.cells - a.cells);
}

function suspicionsOf(cells: readonly RunCell[]): EntryReport['suspicions'] {
  const kinds = new Set(cells.flatMap(({ suspicions }) => suspicions.map(({ kind }) => kind)));
  return [...kinds].toSorted().map((kind) => ({
    kind,
    ...countOf(cells.filter(({ suspicions }) => suspicions.some((one) => one.kind === kind))),
  }));
}
