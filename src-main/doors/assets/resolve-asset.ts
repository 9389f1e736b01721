import path from 'node:path';

/** The build names its files with these alone; anything else is not one of them. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;
const LONGEST = 512;

/**
 * The file that a path of a URL names inside a folder, or `null`. The path is taken as it was sent:
 * nothing is decoded or normalised, so that what is checked is what is opened. Pure; whether the file
 * is there, and is no link, is for {@link readAsset} to see.
 */
export function resolveAsset(folder: string, urlPath: string): string | null {
  if (urlPath === '/') return path.join(folder, 'index.html');
  if (!urlPath.startsWith('/') || urlPath.length > LONGEST) return null;
  const names = urlPath.slice(1).split('/');
  return names.every((name) => NAME.test(name)) ? path.join(folder, ...names) : null;
}
