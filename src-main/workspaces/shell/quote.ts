import { VivariumError } from '../../lib/index.ts';

/** One POSIX shell word that stands for exactly this text. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A path split for the shell side: the folder is entered physically, then the name looked at. */
export interface SplitPath {
  folder: string;
  /** Last part; `.` when the path names a folder by its form (`a/..`, `a/`, `/`). */
  name: string;
}

/**
 * Checks a path given by a model or a person and splits it. `~` is the home folder, a relative
 * path starts at the root of the repository; `..` and links are left to the workspace's kernel,
 * whose container is the boundary.
 * @throws VivariumError `workspace_path` for an empty path, a NUL or an overlong one.
 */
export function splitPath(path: string, root: string, home: string): SplitPath {
  const absolute = absolutePath(path, root, home);
  const end = absolute.replace(/\/+$/, '');
  const slash = end.lastIndexOf('/');
  const name = end.slice(slash + 1);
  const isFolderForm = end.length < absolute.length || name === '.' || name === '..' || end === '';
  if (isFolderForm) return { folder: end === '' ? '/' : end, name: '.' };
  return { folder: slash === 0 ? '/' : end.slice(0, slash), name };
}

/** @throws VivariumError `workspace_path` for an empty path, a NUL or an overlong one. */
export function absolutePath(path: string, root: string, home: string): string {
  if (path === '') throw pathError('The path is empty.');
  if (path.includes('\0')) throw pathError('The path holds a NUL character.');
  if (Buffer.byteLength(path) > 4095) throw pathError('The path is longer than 4095 bytes.');
  if (path === '~') return `${home}/`;
  if (path.startsWith('~/')) return `${home}/${path.slice(2)}`;
  return path.startsWith('/') ? path : `${root}/${path}`;
}

export function pathError(message: string): VivariumError {
  return new VivariumError('workspace_path', message, 'Give a path of a file in the repository.');
}
