import type { BugClass, ClassCounts } from '../types.ts';
import type { CalibratedTask } from './calibration-file.ts';

/** How much of one kind of bugs lies at the frontier. */
export interface KindAtFrontier {
  kind: string;
  tasks: number;
  /** Whose pass rate is more likely within the band than not. */
  atFrontier: number;
  /** Mean chance of its tasks that their pass rate is within the band. */
  inBand: number;
}

/** Kinds of bugs, those first of which most lies at the frontier; a task may be of none. */
export function kindsAtFrontier(
  tasks: readonly CalibratedTask[],
  kindOf: (task: CalibratedTask) => string | null,
): KindAtFrontier[] {
  const kinds = Map.groupBy(tasks, kindOf);
  return [...kinds]
    .flatMap(([kind, alike]) => (kind === null ? [] : kindAtFrontier(kind, alike)))
    .toSorted((a, b) => b.inBand - a.inBand || (a.kind < b.kind ? -1 : 1));
}

function kindAtFrontier(kind: string, alike: readonly CalibratedTask[]): KindAtFrontier {
  const atFrontier = alike.filter(({ why }) => why === 'in_band' || why === 'class_full').length;
  const inBand = alike.reduce((sum, task) => sum + task.inBand, 0) / alike.length;
  return { kind, tasks: alike.length, atFrontier, inBand };
}

/** Those with something at the frontier; where none has, all: one of them may be closest to it. */
export function frontierOf(kinds: readonly KindAtFrontier[]): readonly KindAtFrontier[] {
  const found = kinds.filter(({ atFrontier }) => atFrontier > 0);
  return found.length > 0 ? found : kinds;
}

/**
 * How many tasks of each class there should be once `more` are made: they are shared out among the
 * classes at the frontier, by the mean chance of their tasks to be in the band.
 */
export function classesOfRound(
  classes: readonly KindAtFrontier[],
  had: ClassCounts,
  more: number,
): ClassCounts {
  const chosen = frontierOf(classes);
  const sum = chosen.reduce((all, { inBand }) => all + inBand, 0);
  const counts = { ...had };
  for (const { kind, inBand } of chosen) {
    const bugClass = kind as BugClass;
    // A sum of fractions may be a hair above a whole number.
    counts[bugClass] = (had[bugClass] ?? 0) + Math.ceil((more * inBand) / sum - 1e-6);
  }
  return counts;
}
