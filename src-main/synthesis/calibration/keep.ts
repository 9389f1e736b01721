import { chanceInBand, posteriorOf, signalChance, type Probes } from './posterior.ts';

/** One task with what its probes gave. */
export interface ProbedTask extends Probes {
  name: string;
  /** Content hash. */
  hash: string;
  /** `null` = the task names none; such a task is under no quota. */
  bugClass: string | null;
}

export interface KeepSettings {
  /** Kept pass rates, 0 to 1. */
  band: { low: number; high: number };
  /** Probes without which nothing is said of a task. */
  first: number;
  /** Largest share of the kept set that was never solved, 0 to below 1. */
  unsolvedShare: number;
  /** Largest share of one class of bugs in the tasks in the band; never under an even spread. */
  classShare: number;
}

export const KEEP_DEFAULTS = { unsolvedShare: 0.1, classShare: 0.6 };

/**
 * Why a task is kept, the first two, or not: its pass rate is likely above the band, or below it; the
 * slice of never-solved ones or its class of bugs is full; too few probes came to a verdict.
 */
export const KEEP_REASONS = [
  'in_band',
  'unsolved_slice',
  'too_easy',
  'too_hard',
  'never_solved',
  'class_full',
  'not_probed',
] as const;
export type KeepReason = (typeof KEEP_REASONS)[number];

export function isKept(why: KeepReason): boolean {
  return why === 'in_band' || why === 'unsolved_slice';
}

/**
 * Which tasks are kept, in the order given. In the band is what is more likely within it than not;
 * where a class is full, those go whose attempts most likely all end alike. Ties are broken by
 * content, so that names say nothing.
 */
export function chooseKept(tasks: readonly ProbedTask[], settings: KeepSettings): KeepReason[] {
  const reasons = new Map(tasks.map((task) => [task, reasonOf(task, settings)]));
  const having = (reason: KeepReason) => tasks.filter((task) => reasons.get(task) === reason);
  for (const task of overQuota(having('in_band'), settings.classShare)) {
    reasons.set(task, 'class_full');
  }
  const kept = having('in_band').length;
  const { unsolvedShare: share } = settings;
  const slice = Math.round((kept * share) / (1 - share));
  for (const task of spread(having('never_solved')).slice(0, slice)) {
    reasons.set(task, 'unsolved_slice');
  }
  return tasks.map((task) => reasons.get(task) ?? 'not_probed');
}

function reasonOf(task: ProbedTask, { band, first }: KeepSettings): KeepReason {
  if (task.probes < first) return 'not_probed';
  const posterior = posteriorOf(task);
  if (chanceInBand(posterior, band.low, band.high) >= 0.5) return 'in_band';
  const isAbove = chanceInBand(posterior, band.high, 1) > chanceInBand(posterior, 0, band.low);
  if (isAbove) return 'too_easy';
  return task.solved === 0 ? 'never_solved' : 'too_hard';
}

function overQuota(tasks: readonly ProbedTask[], share: number): ProbedTask[] {
  const classes = byClass(tasks.filter(({ bugClass }) => bugClass !== null));
  const classed = [...classes.values()].flat().length;
  const limit = Math.max(1, Math.ceil(classed * Math.max(share, 1 / Math.max(1, classes.size))));
  return [...classes.values()].flatMap((alike) =>
    alike.toSorted((a, b) => signal(b) - signal(a) || byHash(a, b)).slice(limit),
  );
}

/** One of each class in turns. */
function spread(tasks: readonly ProbedTask[]): ProbedTask[] {
  const ranked = [...byClass(tasks).values()].flatMap((alike) =>
    alike.toSorted(byHash).map((task, rank) => ({ task, rank })),
  );
  return ranked
    .toSorted((a, b) => a.rank - b.rank || byHash(a.task, b.task))
    .map((one) => one.task);
}

function byClass(tasks: readonly ProbedTask[]): Map<string | null, ProbedTask[]> {
  return Map.groupBy(tasks, ({ bugClass }) => bugClass);
}

const signal = (task: ProbedTask) => signalChance(posteriorOf(task));
const byHash = (a: ProbedTask, b: ProbedTask) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0);
