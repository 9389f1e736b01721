import path from 'node:path';

/** More than anybody picks before one is used. */
const MOST = 16;

/** Folders that a person picked in the system's dialog, each for one use. */
export interface Grants {
  give(folder: string): void;
  /** Whether it was picked; it has to be picked again after this. */
  take(folder: string): boolean;
}

/** Compares whole paths as the system tidies them: no part, no sibling, nothing below. */
export function createGrants(): Grants {
  const open = new Set<string>();
  return {
    give(folder) {
      open.add(path.resolve(folder));
      const [oldest] = open;
      if (open.size > MOST && oldest !== undefined) open.delete(oldest);
    },
    take: (folder) => path.isAbsolute(folder) && open.delete(path.resolve(folder)),
  };
}
