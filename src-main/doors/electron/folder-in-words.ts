import { statSync } from 'node:fs';
import path from 'node:path';

/** The folder that a command line names last, as file managers do; `null` when it names none. */
export function folderInWords(words: readonly string[], cwd: string): string | null {
  // The first one is the program; run from the sources, the second is the app's own folder.
  const named = words.slice(1).findLast((word) => !word.startsWith('-'));
  if (named === undefined) return null;
  const folder = path.resolve(cwd, named);
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? folder : null;
}

/** Place of a new fix in a repository, as the page's hash names it. */
export function newFixHash(repository: string): string {
  return `#/new?${new URLSearchParams({ repository }).toString()}`;
}
