import { copyFile, readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { makeGitDir, objectContents } from '../git/index.ts';
import type { GitOptions } from '../git/index.ts';
import { unreadable } from './repository.ts';
import type { Repository } from './repository.ts';

/**
 * A git folder of ours at `dir` that sees the objects, the index and the ignore rules of the user's
 * repository, but none of its configuration, hooks or refs. Only for verbs that write no object.
 */
export async function makeReader(
  repository: Repository,
  dir: string,
  signal?: AbortSignal,
): Promise<GitOptions> {
  await makeGitDir(dir, repository.format);
  const names = await readdir(repository.gitDir);
  const parts = names.filter((name) => name === 'index' || name.startsWith('sharedindex.'));
  await Promise.all(parts.map((name) => copyIndex(join(repository.gitDir, name), join(dir, name))));
  await copyIfThere(join(repository.commonDir, 'info', 'exclude'), join(dir, 'info', 'exclude'));
  await copyIfThere(join(repository.commonDir, 'shallow'), join(dir, 'shallow'));
  return {
    cwd: repository.top,
    gitDir: dir,
    workTree: repository.top,
    indexFile: join(dir, 'index'),
    alternates: [join(repository.commonDir, 'objects')],
    errorCode: 'repo_unreadable',
    signal,
  };
}

/**
 * With its age: git trusts what an index says of a file only where the file is older than the index,
 * and many builds compare whole seconds. A younger copy would hide a change of the same second.
 */
async function copyIndex(from: string, to: string): Promise<void> {
  const { atime, mtimeMs } = await stat(from);
  await copyFile(from, to);
  await utimes(to, atime, Math.floor(mtimeMs / 1000));
}

/** Copies a small regular file; what is not there is not copied. */
export async function copyIfThere(from: string, to: string): Promise<void> {
  const found = await stat(from).catch(() => undefined);
  if (found?.isFile() === true && found.size < 1024 * 1024 * 16) await copyFile(from, to);
}

/** Seconds since 1970 of a commit's committer line. */
export async function commitSeconds(commit: string, options: GitOptions): Promise<number> {
  for await (const content of objectContents([commit], options)) {
    if (content === undefined) break;
    const header = Buffer.from(content).toString('latin1').split('\n\n')[0] ?? '';
    const seconds = /^committer .* (-?\d+) [+-]\d{4}$/m.exec(header)?.[1];
    if (seconds !== undefined) return Math.max(0, Number(seconds));
  }
  throw unreadable(`commit ${commit} can't be read`, undefined);
}
