import type { RunCell } from '../../contract/index.ts';
import { clusteredBootstrap } from './bootstrap.ts';
import { passAtK, passHatK, wilson, type Interval } from './proportions.ts';
import { mean, quantile, standardDeviation } from './sample.ts';

/** Valid runs of one task: those with a verdict. */
export interface TaskRuns {
  task: string;
  n: number;
  solved: number;
  infra: number;
}

export interface PassFigure {
  k: number;
  value: number;
  /** Tasks with at least `k` valid runs, which are all that it can be computed from. */
  tasks: number;
}

/** Half, nine tenths and all of a figure that each run has. */
export interface Spread {
  p50: number;
  p90: number;
  sum: number;
  /** Runs that have the figure. */
  n: number;
}

/** What one entry of a run came to. Infra runs are counted aside: they say nothing of the model. */
export interface EntryStatistics {
  tasks: number;
  /** Tasks without a single valid run: in no figure below. */
  tasksWithout: number;
  runs: { valid: number; solved: number; infra: number; unfinished: number };
  /** Fewest and most valid runs of a task. */
  seeds: { least: number; most: number };
  /** Mean over tasks of their share of solved runs; the interval draws tasks again. */
  pass1: Interval;
  /** Standard error of it over tasks; `null` for fewer than two. */
  standardError: number | null;
  /** Wilson's interval over runs: right for one seed, too narrow for more. */
  perRun: Interval;
  passAt: PassFigure[];
  /** All of `k` runs solve it. */
  passHat: PassFigure[];
  /** Chance that two runs of a task differ; `null` where no task has two. */
  flips: number | null;
  steps: Spread;
  tokens: { prompt: Spread; completion: Spread; cachedShare: number | null };
  seconds: { total: Spread; model: Spread; tools: Spread; grading: Spread };
  peakMemoryBytes: Spread;
  energyJoules: Spread;
}

/** Of the cells of one entry, in any order. */
export function entryStatistics(cells: readonly RunCell[]): EntryStatistics {
  const all = taskRuns(cells);
  const tasks = all.filter(({ n }) => n > 0);
  const shares = tasks.map(({ n, solved }) => solved / n);
  const ns = tasks.map(({ n }) => n);
  const most = Math.max(0, ...ns);
  const ks = Array.from({ length: most }, (_, at) => at + 1);
  const valid = cells.filter(isValid);
  const solved = valid.filter((cell) => cell.resolved).length;
  return {
    tasks: all.length,
    tasksWithout: all.length - tasks.length,
    runs: {
      valid: valid.length,
      solved,
      infra: cells.filter(({ state }) => state === 'infra').length,
      unfinished: cells.filter(({ state }) => state !== 'infra' && state !== 'graded').length,
    },
    seeds: { least: ns.length === 0 ? 0 : Math.min(...ns), most },
    pass1: clusteredBootstrap(shares),
    standardError: shares.length < 2 ? null : standardDeviation(shares) / Math.sqrt(shares.length),
    perRun: wilson(solved, valid.length),
    passAt: ks.map((k) => figureOf(tasks, k, passAtK)),
    passHat: ks.map((k) => figureOf(tasks, k, passHatK)),
    flips: flipsOf(tasks),
    ...costsOf(valid),
  };
}

export function isValid({ state }: RunCell): boolean {
  return state === 'graded';
}

/** By task, in the order of their names. */
export function taskRuns(cells: readonly RunCell[]): TaskRuns[] {
  const byTask = Map.groupBy(cells, ({ task }) => task);
  return [...byTask]
    .map(([task, runs]) => ({
      task,
      n: runs.filter(isValid).length,
      solved: runs.filter((run) => isValid(run) && run.resolved).length,
      infra: runs.filter(({ state }) => state === 'infra').length,
    }))
    .sort((a, b) => (a.task < b.task ? -1 : 1));
}

function figureOf(
  tasks: readonly TaskRuns[],
  k: number,
  estimate: (n: number, c: number, k: number) => number,
): PassFigure {
  const enough = tasks.filter(({ n }) => n >= k);
  return {
    k,
    value: mean(enough.map((one) => estimate(one.n, one.solved, k))),
    tasks: enough.length,
  };
}

/** For each task the chance that two different ones of its runs disagree. */
function flipsOf(tasks: readonly TaskRuns[]): number | null {
  const several = tasks.filter(({ n }) => n > 1);
  if (several.length === 0) return null;
  return mean(several.map(({ n, solved }) => (2 * solved * (n - solved)) / (n * (n - 1))));
}

function costsOf(cells: readonly RunCell[]) {
  const of = (figure: (cell: RunCell) => number | null) => spreadOf(cells.map(figure));
  const prompt = of(({ tokens }) => tokens.prompt);
  const cached = of(({ tokens }) => (tokens.prompt === null ? null : tokens.cached));
  return {
    steps: of(({ steps }) => steps),
    tokens: {
      prompt,
      completion: of(({ tokens }) => tokens.completion),
      cachedShare: prompt.sum > 0 && cached.n > 0 ? cached.sum / prompt.sum : null,
    },
    seconds: {
      total: of(({ seconds }) => seconds.total),
      model: of(({ seconds }) => seconds.model),
      tools: of(({ seconds }) => seconds.tools),
      grading: of(({ seconds }) => seconds.grading),
    },
    peakMemoryBytes: of(({ peakMemoryBytes }) => peakMemoryBytes),
    energyJoules: of(({ energyJoules }) => energyJoules),
  };
}

export function spreadOf(values: readonly (number | null)[]): Spread {
  const known = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  return {
    p50: quantile(known, 0.5),
    p90: quantile(known, 0.9),
    sum: known.reduce((sum, value) => sum + value, 0),
    n: known.length,
  };
}
