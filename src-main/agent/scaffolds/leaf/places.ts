import { posix } from 'node:path';
import { VivariumError } from '../../../lib/index.ts';
import type { FileRead, Workspace } from '../../../workspaces/index.ts';
import { likenessTo } from '../edit/nearest.ts';
import { pythonQuoted, ToolFault } from './outcome.ts';

/** The most that is read of one file; what is larger is for Bash. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** The path as Leaf shows it: relative to the repository where it leads there, else as given. */
export function displayPath(workspace: Workspace, given: string, realPath: string): string {
  const inside = posix.relative(workspace.root, realPath);
  if (inside !== '' && !isOutside(inside)) return inside;
  return given.startsWith('~') ? realPath : absolute(workspace, given);
}

/** Told when a link inside the repository leads out of it (T08). */
export function linkNote(workspace: Workspace, given: string, realPath: string): string[] {
  if (
    given.startsWith('~') ||
    isOutside(posix.relative(workspace.root, absolute(workspace, given)))
  ) {
    return [];
  }
  if (!isOutside(posix.relative(workspace.root, realPath))) return [];
  return [
    `${given} is a link that leads out of the repository, to ${realPath}; the patch will not have this change.`,
  ];
}

function isOutside(relative: string): boolean {
  return relative === '..' || relative.startsWith('../');
}

export function absolute(workspace: Workspace, given: string): string {
  return given.startsWith('~') ? given : posix.resolve(workspace.root, given);
}

/** A whole file, or its first {@link MAX_FILE_BYTES}. @throws ToolFault in Python's words. */
export async function readFile(workspace: Workspace, given: string): Promise<FileRead> {
  let read: FileRead | undefined;
  try {
    read = await workspace.readFile(given, { maxBytes: MAX_FILE_BYTES });
  } catch (error) {
    throw await pathFault(workspace, given, error);
  }
  if (!read) throw await notFound(workspace, given);
  return read;
}

/** @throws ToolFault in Python's words. */
export async function writeFile(
  workspace: Workspace,
  given: string,
  content: Uint8Array,
): Promise<{ created: boolean; realPath: string }> {
  try {
    return await workspace.writeFile(given, content);
  } catch (error) {
    throw await pathFault(workspace, given, error);
  }
}

/** Turns a refusal of the workspace into the exception Python would raise; passes others on. */
async function pathFault(workspace: Workspace, given: string, error: unknown): Promise<unknown> {
  if (!(error instanceof VivariumError)) return error;
  const quoted = pythonQuoted(absolute(workspace, given));
  if (error.code === 'disk_full') {
    return new ToolFault('OSError', '[Errno 28] No space left on device');
  }
  if (error.code !== 'workspace_path') return error;
  if (error.message.includes('permission is denied')) {
    return new ToolFault('PermissionError', `[Errno 13] Permission denied: ${quoted}`);
  }
  const stat = await statOf(workspace, given);
  if (stat?.kind === 'folder') {
    return new ToolFault('IsADirectoryError', `[Errno 21] Is a directory: ${quoted}`, [
      `${given} is a folder; list it with Glob or Bash.`,
    ]);
  }
  if (stat?.kind === 'symlink') {
    return new ToolFault('FileNotFoundError', `[Errno 2] No such file or directory: ${quoted}`, [
      `${given} is a link that leads nowhere.`,
    ]);
  }
  if (stat === undefined && (await isBelowFile(workspace, given))) {
    return new ToolFault('NotADirectoryError', `[Errno 20] Not a directory: ${quoted}`);
  }
  return new ToolFault('OSError', error.message);
}

/** Some parent of the path is a file. */
async function isBelowFile(workspace: Workspace, given: string): Promise<boolean> {
  for (let at = posix.dirname(absolute(workspace, given)); at.length > 1; at = posix.dirname(at)) {
    const stat = await statOf(workspace, at);
    if (stat) return stat.kind !== 'folder';
  }
  return false;
}

async function statOf(workspace: Workspace, given: string): ReturnType<Workspace['stat']> {
  try {
    const stat = await workspace.stat(given);
    return stat?.kind === 'symlink' && stat.target !== undefined
      ? await workspace.stat(stat.target)
      : stat;
  } catch (error) {
    if (error instanceof VivariumError && error.code === 'workspace_path') return undefined;
    throw error;
  }
}

const MAX_LISTED = 20_000;
const MAX_PROPOSALS = 3;

async function notFound(workspace: Workspace, given: string): Promise<ToolFault> {
  const quoted = pythonQuoted(absolute(workspace, given));
  const near = await nearNames(workspace, given);
  const help = near.length > 0 ? [`Is it ${near.join(' or ')}?`] : [];
  return new ToolFault('FileNotFoundError', `[Errno 2] No such file or directory: ${quoted}`, help);
}

/** Files of the repository with the same name elsewhere, else with a similar path. */
async function nearNames(workspace: Workspace, given: string): Promise<string[]> {
  const listed = await workspace.list(workspace.root, { maxEntries: MAX_LISTED });
  if (!listed) return [];
  const wanted = posix.relative(workspace.root, absolute(workspace, given)).toLowerCase();
  const name = posix.basename(wanted);
  const pathLike = likenessTo(wanted);
  const nameLike = likenessTo(name);
  return listed.entries
    .filter((entry) => entry.kind === 'file' || entry.kind === 'symlink')
    .map((entry) => {
      const path = entry.path.toLowerCase();
      const like = nameLike(posix.basename(path));
      // The same name elsewhere goes before a similar one; the rest of the path decides a draw.
      return { path: entry.path, like: like === 1 ? 1 + pathLike(path) : like };
    })
    .filter(({ like }) => like >= 0.7)
    .sort((a, b) => b.like - a.like || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_PROPOSALS)
    .map(({ path }) => path);
}
