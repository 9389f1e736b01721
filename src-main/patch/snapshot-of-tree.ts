import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  importCommit,
  makeGitDir,
  revParse,
  type FileMode,
  type GitOptions,
  type ImportItem,
} from '../git/index.ts';
import { makeFolder, VivariumError } from '../lib/index.ts';
import { foldersAbove } from './changes.ts';
import { linkPathProblem, pathProblem } from './path-check.ts';
import { snapshotPath, snapshotsFolder, writeSnapshotFile } from './snapshot-folder.ts';
import { ownFault, START_AUTHOR, START_MESSAGE } from './snapshot.ts';
import type { LeftOut, Snapshot } from './types.ts';

export interface TreeSnapshotOptions {
  /** `VIVARIUM_HOME`; the snapshot lies in `snapshots/<id>.git` below it. */
  home: string;
  /** As of a session: a plain name. */
  id: string;
  /** What stands in the record as its repository, e.g. the folder of the task. */
  source: string;
  signal?: AbortSignal | undefined;
}

/** A file of the tree; folders are made as needed. */
export interface TreeItem {
  path: string;
  mode: FileMode | '40000';
  content: Uint8Array;
}

/**
 * The same tree gives the same start commit, on every machine and in every run. 2000-01-01: archives
 * such as zip know no time before 1980.
 */
const COMMIT_SECONDS = 946_684_800;

/**
 * A snapshot of files that lie in no git repository, such as those of a task: no history, every file
 * as it was given. A name that git or a workspace cannot hold is left out and named in `notCarried`.
 *
 * Throws VivariumError `repo_empty`, `disk_full`, `git_missing`, `git_failed`; nothing is left behind
 * then.
 */
export async function snapshotOfTree(
  files: AsyncIterable<TreeItem> | Iterable<TreeItem>,
  { home, id, source, signal }: TreeSnapshotOptions,
): Promise<Snapshot> {
  const gitDir = snapshotPath(home, id);
  const folder = snapshotsFolder(home);
  const work = join(folder, `.${id}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await makeFolder(folder, 0o700);
    await mkdir(work, { mode: 0o700 });
    await makeGitDir(work, 'sha1');
    const snapshot = {
      gitDir,
      repository: source,
      ...(await fill(files, { gitDir: work, signal })),
    };
    await writeSnapshotFile(work, snapshot);
    await rename(work, gitDir);
    return snapshot;
  } catch (fault) {
    throw ownFault(fault);
  } finally {
    await rm(work, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function fill(
  files: AsyncIterable<TreeItem> | Iterable<TreeItem>,
  place: GitOptions,
): Promise<Omit<Snapshot, 'gitDir' | 'repository'>> {
  const tally = { files: 0, bytes: 0, notCarried: new Array<LeftOut>() };
  await importCommit(
    {
      branch: 'refs/heads/main',
      author: { ...START_AUTHOR, seconds: COMMIT_SECONDS },
      message: START_MESSAGE,
      items: counted(files, tally),
    },
    place,
  );
  if (tally.files === 0) {
    throw new VivariumError(
      'repo_empty',
      'there is no file to take a snapshot of',
      'Check the tree of the task: its archive, or the folder of its image.',
    );
  }
  const startCommit = await revParse(['refs/heads/main'], place);
  const tree = await revParse(['refs/heads/main^{tree}'], place);
  return {
    baseCommit: startCommit,
    tree,
    startCommit,
    ...tally,
    dirty: { modified: 0, untracked: 0 },
  };
}

async function* counted(
  files: AsyncIterable<TreeItem> | Iterable<TreeItem>,
  tally: { files: number; bytes: number; notCarried: LeftOut[] },
): AsyncGenerator<ImportItem, void, undefined> {
  const taken: Taken = { files: new Set(), folders: new Set() };
  for await (const { path, mode, content } of files) {
    if (mode === '40000') continue;
    const nameProblem = mode === '120000' ? linkPathProblem(path) : pathProblem(path);
    const problem = nameProblem ?? placeProblem(path, taken);
    if (problem !== undefined) {
      tally.notCarried.push({ path, reason: problem });
      continue;
    }
    tally.files += 1;
    tally.bytes += content.length;
    yield { path, mode, content };
  }
}

interface Taken {
  files: Set<string>;
  folders: Set<string>;
}

/** git would keep the one that comes last, without a word. */
function placeProblem(path: string, { files, folders }: Taken): string | undefined {
  if (files.has(path)) return 'named twice';
  if (folders.has(path)) return 'a file where a folder is';
  const above = [...foldersAbove(path)];
  if (above.some((folder) => files.has(folder))) return 'inside a file';
  files.add(path);
  for (const folder of above) folders.add(folder);
  return undefined;
}
