import { randomBytes } from 'node:crypto';
import { mkdir, realpath, rename, rm } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import {
  GitFailure,
  importCommit,
  makeGitDir,
  packReachable,
  revParse,
  storePack,
  treeFiles,
} from '../git/index.ts';
import type { GitOptions } from '../git/index.ts';
import { makeFolder, messageOf, visibleLine, VivariumError } from '../lib/index.ts';
import { snapshotPath, snapshotsFolder, writeSnapshotFile } from './snapshot-folder.ts';
import { snapshotItems } from './snapshot-items.ts';
import { headFiles, planSnapshot } from './snapshot-plan.ts';
import { commitSeconds, copyIfThere, makeReader } from './repository-reader.ts';
import { findRepository } from './repository.ts';
import type { Repository } from './repository.ts';
import type { Snapshot } from './types.ts';

export interface SnapshotOptions {
  /** `VIVARIUM_HOME`; the snapshot lies in `snapshots/<sessionId>.git` below it. */
  home: string;
  sessionId: string;
  /** The start commit gets HEAD as its parent, with all that HEAD reaches and nothing else. */
  history?: boolean;
  signal?: AbortSignal | undefined;
}

/** Who the start commit is by. */
export const START_AUTHOR = { name: 'Vivarium', email: 'vivarium@localhost' } as const;
export const START_MESSAGE = 'Start of the session\n';

/**
 * Copies what the user sees in the working tree (tracked files as they are now, and untracked ones
 * that no rule ignores; raw bytes) into a private bare repository. The user's repository is only
 * read: no git process runs with its configuration but `rev-parse` and `config --get`.
 *
 * Accepts any folder inside the repository. Throws VivariumError `repo_not_found`, `repo_not_git`,
 * `repo_bare`, `repo_empty`, `repo_unreadable`, `disk_full`, `git_missing`, `git_failed`; nothing is
 * left behind then.
 */
export async function takeSnapshot(path: string, options: SnapshotOptions): Promise<Snapshot> {
  const gitDir = snapshotPath(options.home, options.sessionId);
  const repository = await findRepository(path, options.signal);
  const folder = snapshotsFolder(options.home);
  const work = join(folder, `.${options.sessionId}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await makeFolder(folder, 0o700);
    await mkdir(work, { mode: 0o700 });
    const made = await fillRepository(repository, work, options);
    const snapshot: Snapshot = { gitDir, repository: repository.top, ...made };
    const built = join(work, 'repository');
    await writeSnapshotFile(built, snapshot);
    await rename(built, gitDir);
    return snapshot;
  } catch (fault) {
    throw ownFault(fault);
  } finally {
    // Left-overs are found by `listSnapshots`; the first fault is the one to tell.
    await rm(work, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function fillRepository(
  repository: Repository,
  work: string,
  options: SnapshotOptions,
): Promise<Omit<Snapshot, 'gitDir' | 'repository'>> {
  const { signal } = options;
  const reader = await makeReader(repository, join(work, 'reader'), signal);
  const gitDir = join(work, 'repository');
  await mkdir(gitDir, { mode: 0o700 });
  await makeGitDir(gitDir, repository.format);
  await copyIfThere(join(work, 'reader', 'info', 'exclude'), join(gitDir, 'info', 'exclude'));
  const place: GitOptions = { gitDir, signal };
  if (options.history === true) await copyHistory(repository, work, gitDir, reader, place);
  const [plan, head, seconds] = await Promise.all([
    planSnapshot(reader, await ownFolder(repository.top, options.home)),
    headFiles(repository.head, reader),
    commitSeconds(repository.head, reader),
  ]);
  const { items, tally } = snapshotItems(repository, plan, head, reader);
  await importCommit(
    {
      branch: 'refs/heads/main',
      parent: options.history === true ? repository.head : undefined,
      fresh: options.history === true,
      author: { ...START_AUTHOR, seconds },
      message: START_MESSAGE,
      items,
    },
    place,
  );
  const startCommit = await revParse(['refs/heads/main'], place);
  const tree = await revParse(['refs/heads/main^{tree}'], place);
  await checkCount(tree, tally.files, place);
  return { baseCommit: repository.head, tree, startCommit, ...tally };
}

/** Where our own data lies inside the repository, as a path in it; `undefined` when it does not. */
async function ownFolder(top: string, home: string): Promise<string | undefined> {
  const path = relative(top, await realpath(home));
  const outside = path === '' || path === '..' || path.startsWith('../');
  return outside || isAbsolute(path) ? undefined : path;
}

async function copyHistory(
  repository: Repository,
  work: string,
  gitDir: string,
  reader: GitOptions,
  place: GitOptions,
): Promise<void> {
  await copyIfThere(join(work, 'reader', 'shallow'), join(gitDir, 'shallow'));
  try {
    await storePack(packReachable(repository.head, reader), place);
  } catch (fault) {
    if (!(fault instanceof GitFailure) || fault.code !== 'repo_unreadable') throw fault;
    throw new VivariumError(
      'repo_unreadable',
      `the history is not whole on this machine (a partial clone, or a damaged one): ${messageOf(fault)}`,
      'Start without the history, or fetch what is missing with `git fetch --refetch`.',
      fault,
    );
  }
}

/** A path that git dropped without a word would later look like a deletion. */
async function checkCount(tree: string, files: number, place: GitOptions): Promise<void> {
  let found = 0;
  for await (const file of treeFiles(tree, place)) found += file.mode === '' ? 0 : 1;
  if (found === files) return;
  throw new VivariumError(
    'repo_unreadable',
    `the snapshot holds ${found} files instead of ${files}`,
    'Wait until nothing writes to the repository and start again.',
  );
}

/** A fault of writing a snapshot as people can use it. */
export function ownFault(fault: unknown): unknown {
  if (fault instanceof VivariumError) {
    return /no space left|disk quota exceeded/i.test(fault.message) ? diskFull(fault) : fault;
  }
  const code = fault instanceof Error && 'code' in fault ? fault.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(fault);
  if (code === undefined) return fault;
  return new VivariumError(
    'out_unwritable',
    `the snapshot can't be written: ${visibleLine(messageOf(fault))}`,
    'Check the disk and the permissions of VIVARIUM_HOME.',
    fault,
  );
}

function diskFull(fault: unknown): VivariumError {
  return new VivariumError(
    'disk_full',
    'the disk is full: the snapshot could not be written',
    'Free some space, or set VIVARIUM_HOME to a folder on another disk.',
    fault,
  );
}
