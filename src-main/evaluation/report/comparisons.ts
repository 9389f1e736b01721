import type { RunCell } from '../../contract/index.ts';
import { compareEntries, type Comparison } from '../statistics/index.ts';
import type { RunOnRecord } from './run-on-record.ts';
import { OWN_LIMIT } from './words.ts';

export interface ComparisonReport {
  a: string;
  b: string;
  /** `leftOut`: tasks of either run that are no part of it. */
  result: Comparison;
  /** Tasks of the same name and other content in the two runs; among those left out. */
  changedTasks: number;
  /** `p` after Holm, for that many comparisons in one report. */
  adjustedP: number;
}

type Pair = Omit<ComparisonReport, 'adjustedP'>;

/** Pairs of entries of the run, then entries of the other run (A) against those of this one (B). */
export function comparisonsOf(run: RunOnRecord, other: RunOnRecord | null): ComparisonReport[] {
  const pairs = [...within(run), ...(other === null ? [] : between(other, run))];
  const adjusted = holm(pairs.map(({ result }) => result.p));
  return pairs.map((pair, at) => ({ ...pair, adjustedP: adjusted[at] ?? 1 }));
}

function cellsOf(cells: readonly RunCell[], entry: number): RunCell[] {
  return cells.filter((cell) => cell.entry === entry);
}

function within({ created, cells }: RunOnRecord): Pair[] {
  return created.entries.flatMap((a, first) =>
    created.entries.slice(first + 1).map((b, more) => {
      const result = compareEntries(cellsOf(cells, first), cellsOf(cells, first + 1 + more));
      const leftOut = created.tasks.length - result.tasks;
      return { a: a.label, b: b.label, result: { ...result, leftOut }, changedTasks: 0 };
    }),
  );
}

/** Only cells of tasks that are the same in both runs: evidence is bound to a task's content. */
function between(other: RunOnRecord, run: RunOnRecord): Pair[] {
  const hashes = new Map(other.created.tasks.map(({ name, hash }) => [name, hash]));
  const both = run.created.tasks.filter(({ name }) => hashes.has(name));
  const same = new Set(both.filter(({ name, hash }) => hashes.get(name) === hash).map(nameOf));
  const keep = (cells: readonly RunCell[]) => cells.filter(({ task }) => same.has(task));
  const all = new Set([...hashes.keys(), ...run.created.tasks.map(nameOf)]).size;
  const pairs = run.created.entries.flatMap((b, two) =>
    other.created.entries.map((a, one) => ({ a, b, one, two })),
  );
  const alike = pairs.filter(({ a, b }) => a.label === b.label);
  return (alike.length > 0 ? alike : pairs).map(({ a, b, one, two }) => {
    const result = compareEntries(keep(cellsOf(other.cells, one)), keep(cellsOf(run.cells, two)));
    return {
      a: `${a.label} (${other.summary.name}, ${other.summary.runId.slice(0, 8)})`,
      b: `${b.label} (${run.summary.name}, ${run.summary.runId.slice(0, 8)})`,
      result: { ...result, leftOut: all - result.tasks },
      changedTasks: both.length - same.size,
    };
  });
}

function nameOf({ name }: { name: string }): string {
  return name;
}

/** Holm's step-down: among many comparisons some come out small by chance. */
function holm(ps: readonly number[]): number[] {
  const order = ps.map((p, at) => ({ p, at })).sort((a, b) => a.p - b.p);
  const adjusted: number[] = [];
  let least = 0;
  for (const [rank, { p, at }] of order.entries()) {
    least = Math.max(least, Math.min(1, p * (ps.length - rank)));
    adjusted[at] = least;
  }
  return adjusted;
}

type Created = RunOnRecord['created'];
type Value = string | number | object | undefined;

/** In what two runs were run otherwise: each of it may explain a difference as well as the entries. */
export function settingsThatDiffer(a: Created, b: Created): string[] {
  const said = (name: string, one: Value, two: Value): string[] => {
    const [before, after] = [textOf(one), textOf(two)];
    return before === after ? [] : [`${name}: ${before} before, ${after} now`];
  };
  const limit = (name: string, of: (settings: Created['settings']) => number) => {
    const [before, after] = [of(a.settings), of(b.settings)];
    return said(name, before === 0 ? OWN_LIMIT : before, after === 0 ? OWN_LIMIT : after);
  };
  const scaffolds = b.entries.flatMap(({ label, scaffoldHash }) => {
    const before = a.entries.find((one) => one.label === label);
    return before === undefined
      ? []
      : said(`scaffold of ${label}`, before.scaffoldHash.slice(0, 12), scaffoldHash.slice(0, 12));
  });
  const names = [...new Set([...Object.keys(a.environment), ...Object.keys(b.environment)])];
  return [
    ...said('seeds', a.seeds.join(', '), b.seeds.join(', ')),
    ...limit('steps at most', ({ maxSteps }) => maxSteps),
    ...limit('context at most', ({ maxContextTokens }) => maxContextTokens),
    ...limit('tokens of a turn at most', ({ maxTokensPerTurn }) => maxTokensPerTurn),
    ...limit('seconds at most', ({ timeLimitMs }) => timeLimitMs / 1000),
    ...said('sampling', a.settings.sampling, b.settings.sampling),
    ...scaffolds,
    ...names.flatMap((name) => said(name, a.environment[name], b.environment[name])),
  ];
}

function textOf(value: Value): string {
  if (value === undefined) return 'unknown';
  if (typeof value !== 'object') return String(value);
  // In any order of its members it is the same sampling.
  return JSON.stringify(Object.entries(value).toSorted(([one], [two]) => (one < two ? -1 : 1)));
}
