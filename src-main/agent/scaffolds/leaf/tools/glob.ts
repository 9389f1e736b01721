import { posix } from 'node:path';
import { VivariumError } from '../../../../lib/index.ts';
import type { FoundFile, Workspace } from '../../../../workspaces/index.ts';
import { filledArgument } from '../arguments.ts';
import type { ToolContext, ToolOutcome } from '../outcome.ts';
import { success } from '../outcome.ts';
import { displayPath } from '../places.ts';
import { globPattern } from './glob-pattern.ts';

/** Leaf's `LEAF_GLOB_LIMIT`. */
const LIMIT = 1_000;
const MAX_LISTED = 200_000;
/** Links are resolved one by one, so only so many. */
const MAX_LINKS = 50;
const VENDORED = /(?:^|\/)(?:node_modules|site-packages|__pycache__|bower_components)\//;

/** Sorted files, one a line. */
export async function glob(
  args: Readonly<Record<string, unknown>>,
  { workspace, help }: ToolContext,
): Promise<ToolOutcome> {
  const pattern = filledArgument(args, 'pattern');
  const folder = typeof args['path'] === 'string' && args['path'] !== '' ? args['path'] : '.';
  const notes: string[] = [];
  let found = await search(workspace, folder, [pattern]);
  if (help && found.paths.length === 0 && /\{[^{}]*,[^{}]*\}/.test(pattern)) {
    found = await search(workspace, folder, braces(pattern));
    if (found.paths.length > 0) notes.push('The braces were read as alternatives.');
  }
  if (!found.complete) {
    notes.push(
      `There are more than ${MAX_LISTED} files; the search is not complete. Name a folder in path.`,
    );
  }
  if (found.paths.length === 0) return success('No files matched.', { help: notes });
  const paths = found.paths.sort(byCodePoint);
  const ordered = help && paths.length > LIMIT ? ownFirst(paths, pattern, notes) : paths;
  const more = paths.length > LIMIT ? `\n... ${paths.length - LIMIT} more files` : '';
  const shown = ordered.slice(0, LIMIT).sort(byCodePoint).map(unambiguous);
  return success(shown.join('\n') + more, { help: notes });
}

async function search(
  workspace: Workspace,
  folder: string,
  patterns: readonly string[],
): Promise<{ paths: string[]; complete: boolean }> {
  const paths = new Set<string>();
  const known = new Map<string, Awaited<ReturnType<typeof listFolder>>>();
  let complete = true;
  for (const pattern of patterns) {
    const compiled = globPattern(pattern);
    const base = join(folder, compiled.base);
    if (!known.has(base)) known.set(base, await listFolder(workspace, base));
    const listed = known.get(base);
    if (!listed) continue;
    complete &&= listed.complete;
    const matched = listed.entries.filter((entry) => compiled.matches(entry.path));
    for (const path of await filesOf(workspace, base, matched)) paths.add(path);
  }
  return { paths: [...paths], complete };
}

/** `undefined` for what is no folder, which simply has no matches. */
async function listFolder(workspace: Workspace, folder: string): ReturnType<Workspace['list']> {
  try {
    return await workspace.list(folder, { maxEntries: MAX_LISTED });
  } catch (error) {
    if (error instanceof VivariumError && error.code === 'workspace_path') return undefined;
    throw error;
  }
}

/** Files, and links that lead to files, as Leaf displays them. */
async function filesOf(
  workspace: Workspace,
  base: string,
  matched: readonly FoundFile[],
): Promise<string[]> {
  const paths: string[] = [];
  let links = 0;
  for (const entry of matched) {
    const given = join(base, entry.path);
    if (entry.kind === 'file') paths.push(display(workspace, given, given));
    if (entry.kind !== 'symlink' || ++links > MAX_LINKS) continue;
    const target = (await workspace.stat(given))?.target;
    if (target !== undefined && (await workspace.stat(target))?.kind === 'file') {
      paths.push(display(workspace, given, target));
    }
  }
  return paths;
}

function display(workspace: Workspace, given: string, real: string): string {
  return displayPath(workspace, given, posix.resolve(workspace.root, real));
}

/** Like Python's `root / pattern`: an absolute second part stands alone. */
function join(folder: string, path: string): string {
  return path.startsWith('/') ? path : posix.join(folder, path);
}

/** Beyond the limit, the project's own files go before those of installed packages. */
function ownFirst(paths: string[], pattern: string, notes: string[]): string[] {
  const vendored = paths.filter((path) => VENDORED.test(path));
  if (vendored.length === 0 || VENDORED.test(pattern)) return paths;
  notes.push(
    `${vendored.length} of the ${paths.length} files lie in installed packages or caches and are listed last.`,
  );
  return [...paths.filter((path) => !VENDORED.test(path)), ...vendored];
}

function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A name that could be taken for two lines or for a quoted name is shown as a JSON string (T18). */
function unambiguous(path: string): string {
  return /\p{Cc}|[\u2028\u2029]|^"/u.test(path) ? JSON.stringify(path) : path;
}

/** Alternatives of one level of braces. */
function braces(pattern: string): string[] {
  const match = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(pattern);
  if (!match) return [pattern];
  const [, before = '', inside = '', behind = ''] = match;
  return inside
    .split(',')
    .slice(0, 20)
    .flatMap((one) => braces(before + one + behind).slice(0, 20));
}
