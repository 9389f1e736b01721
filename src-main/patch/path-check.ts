const MAX_PATH_BYTES = 4096;
const MAX_NAME_BYTES = 255;

/** Code points HFS+ ignores when it compares names. */
const HFS_IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;

/**
 * Why a path must not come near git or the file system; `undefined` when it may. The one check every
 * path of a workspace or a working tree passes. `/` parts names; a backslash and a colon are taken
 * for what Windows takes them.
 */
export function pathProblem(path: string): string | undefined {
  if (path === '') return 'empty name';
  if (!path.isWellFormed()) return 'name is not valid Unicode';
  if (path.includes('\0')) return 'name with a NUL';
  if (path.startsWith('/')) return 'absolute name';
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return 'name too long';
  for (const part of path.split('/')) {
    const problem = partProblem(part);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** As {@link pathProblem}, for a symbolic link: git refuses some names only for links. */
export function linkPathProblem(path: string): string | undefined {
  const problem = pathProblem(path);
  if (problem !== undefined) return problem;
  const name = ntfsName(path.slice(path.lastIndexOf('/') + 1).replace(HFS_IGNORED, ''));
  if (/^(\.gitmodules|gitmod~[1-4]|gi7eb[0-9a-f]?~[0-9])$/.test(name)) {
    return 'symbolic link in place of .gitmodules';
  }
  return undefined;
}

function partProblem(part: string): string | undefined {
  if (part === '' || part === '.' || part === '..') return 'name with an empty, `.` or `..` part';
  if (Buffer.byteLength(part) > MAX_NAME_BYTES) return 'name too long';
  for (const piece of part.split('\\')) {
    if (piece === '..') return 'name with a `..` part behind a backslash';
    if (isGitFolder(piece)) return 'inside a .git folder';
  }
  return undefined;
}

function isGitFolder(piece: string): boolean {
  const name = ntfsName(piece.replace(HFS_IGNORED, ''));
  return name === '.git' || name === 'git~1';
}

/** What NTFS makes of a name: no stream, no trailing dots and blanks, no case. */
function ntfsName(name: string): string {
  return name
    .replace(/:.*$/su, '')
    .replace(/[. ]+$/u, '')
    .toLowerCase();
}
