import type { BugClass, ClassCounts } from '../types.ts';

/** Largest shares of the target; 1 = no limit. */
export interface Shares {
  /** Of one class of bugs. */
  bugClass: number;
  /** Of bugs in as many files: one, two to three, more. */
  files: number;
  /** Of one area of the repository; never under twice what an even spread gives. */
  area: number;
}

/** Mutations are all in one file, so that a limit by files is only set by hand. */
export const DEFAULT_SHARES: Shares = { bugClass: 0.6, files: 1, area: 0.4 };

/** How many tasks of each kind may be had. */
export interface Quotas {
  classLimit(bugClass: BugClass): number;
  files: number;
  area: number;
  areaOf(path: string): string;
}

/** What a quota counts of a bug. */
export interface Counted {
  bugClass: BugClass;
  /** Paths that its change touches. */
  files: readonly string[];
}

/**
 * Quotas for a target. An area is the first folder, or the module, below the folders that all paths
 * share.
 *
 * @param paths of the source files that bugs may lie in
 * @param classes how many of each class may be had, in place of the shares; 0 of one that it lacks
 */
export function quotasOf(
  target: number,
  paths: Iterable<string>,
  shares: Shares = DEFAULT_SHARES,
  classes?: ClassCounts,
): Quotas {
  const all = [...paths].map((path) => path.split('/'));
  const depth = sharedDepth(all);
  const areaOf = (path: string) => path.split('/')[depth] ?? path;
  const areas = new Set(all.map((parts) => areaOf(parts.join('/')))).size;
  const limit = (share: number) => Math.max(1, Math.ceil(target * Math.min(1, share)));
  return {
    classLimit: (one) => (classes ? (classes[one] ?? 0) : limit(shares.bugClass)),
    files: limit(shares.files),
    area: limit(Math.max(shares.area, 2 / Math.max(1, areas))),
    areaOf,
  };
}

function sharedDepth(paths: readonly string[][]): number {
  const [first = []] = paths;
  let depth = 0;
  while (depth < first.length - 1 && paths.every((parts) => parts[depth] === first[depth])) {
    depth += 1;
  }
  return depth;
}

/** The quota that one more bug would break, in words; `undefined` = none. */
export function fullQuota(
  one: Counted,
  kept: readonly Counted[],
  quotas: Quotas,
): string | undefined {
  const alike = (same: (other: Counted) => boolean) => kept.filter(same).length;
  const ofClass = quotas.classLimit(one.bugClass);
  if (alike(({ bugClass }) => bugClass === one.bugClass) >= ofClass) {
    return `class ${one.bugClass} is full (${ofClass})`;
  }
  const files = filesKind(one);
  if (alike((other) => filesKind(other) === files) >= quotas.files) {
    return `bugs in ${files} are full (${quotas.files})`;
  }
  const areas = new Set(one.files.map(quotas.areaOf));
  for (const area of areas) {
    const there = alike((other) => other.files.some((file) => quotas.areaOf(file) === area));
    if (there >= quotas.area) return `area ${area} is full (${quotas.area})`;
  }
  return undefined;
}

function filesKind({ files }: Counted): string {
  if (files.length <= 1) return 'one file';
  return files.length <= 3 ? 'two or three files' : 'more than three files';
}
