import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitFailure, nameOf, objectContents, revParse, treeFiles } from '../git/index.ts';
import type { GitOptions } from '../git/index.ts';
import { visibleLine, VivariumError } from '../lib/index.ts';
import { linkPathProblem, pathProblem } from './path-check.ts';
import { makeReader } from './repository-reader.ts';
import { findRepository, unreadable } from './repository.ts';
import type { LeftOut } from './types.ts';

export interface CommitFile {
  path: string;
  mode: '100644' | '100755' | '120000';
  /** Of its content. */
  id: string;
}

/** A commit of the user's repository and the tree before it. */
export interface ReadCommit {
  commit: string;
  /** The first one. */
  parent: string;
  /** First line of the message. */
  subject: string;
  before: CommitFile[];
  after: CommitFile[];
  /** What is in one of the trees and cannot be carried, with the reason. */
  notCarried: LeftOut[];
  /** Files with their contents, in the order given. */
  contents(files: readonly CommitFile[]): AsyncGenerator<CommitFile & { content: Uint8Array }>;
}

/**
 * Reads a commit while `use` runs. The repository is only read, and nothing of its configuration,
 * attributes or filters counts: contents are the bytes in the object store.
 *
 * @param revision as the user names it: a commit, a tag, a branch, `HEAD~3`
 * @throws VivariumError `repo_*`; `usage` for a revision that is no commit, or has no parent
 */
export async function readCommit<Result>(
  path: string,
  revision: string,
  use: (commit: ReadCommit) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  return withCommit(
    path,
    revision,
    async ({ commit, git }) => {
      const { parent, subject } = await headersOf(commit, git);
      const notCarried: LeftOut[] = [];
      return use({
        commit,
        parent,
        subject,
        before: await filesOf(parent, git, notCarried),
        after: await filesOf(commit, git, notCarried),
        notCarried,
        contents: (files) => contentsOf(files, git),
      });
    },
    signal,
  );
}

/** A commit of a repository, and how its objects are read. */
interface AtCommit {
  /** Top folder of the repository. */
  top: string;
  commit: string;
  git: GitOptions;
}

/** Lends a reader of the repository's objects to `use`. @throws VivariumError as {@link readCommit} */
export async function withCommit<Result>(
  path: string,
  revision: string,
  use: (at: AtCommit) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const repository = await findRepository(path, signal);
  const commit = await commitOf(repository.top, revision, signal);
  const folder = await mkdtemp(join(tmpdir(), 'vivarium-commit-'));
  try {
    const git = await makeReader(repository, join(folder, 'git'), signal);
    return await use({ top: repository.top, commit, git });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function commitOf(top: string, revision: string, signal?: AbortSignal): Promise<string> {
  try {
    const config = [`safe.directory=${top}`];
    const name = `${revision}^{commit}`;
    return await revParse(['--verify', '--end-of-options', name], { cwd: top, config, signal });
  } catch (fault) {
    if (!(fault instanceof GitFailure)) throw fault;
    throw new VivariumError(
      'usage',
      `${JSON.stringify(revision)} is no commit of the repository`,
      'Name a commit as `git log` shows it.',
      fault,
    );
  }
}

async function headersOf(
  commit: string,
  git: GitOptions,
): Promise<{ parent: string; subject: string }> {
  for await (const content of objectContents([commit], git)) {
    if (content === undefined) break;
    const text = Buffer.from(content).toString('utf8');
    const end = text.indexOf('\n\n');
    const parent = /^parent ([0-9a-f]+)$/m.exec(text.slice(0, end))?.[1];
    if (parent === undefined) throw noParent(commit);
    return { parent, subject: text.slice(end + 2).split('\n')[0] ?? '' };
  }
  throw unreadable(`commit ${commit} can't be read`, undefined);
}

function noParent(commit: string): VivariumError {
  return new VivariumError(
    'usage',
    `commit ${commit} has no parent: there is no state before the fix`,
    'Name a later commit.',
  );
}

export async function filesOf(
  commit: string,
  git: GitOptions,
  notCarried: LeftOut[],
): Promise<CommitFile[]> {
  const files: CommitFile[] = [];
  for await (const { mode, id, path: bytes } of treeFiles(commit, git)) {
    const path = nameOf(bytes);
    const reason = reasonAgainst(path, mode);
    if (path === undefined || reason !== undefined) {
      const shown = path ?? visibleLine(bytes);
      const known = notCarried.some((left) => left.path === shown);
      if (!known) notCarried.push({ path: shown, reason: reason ?? 'name is not UTF-8' });
      continue;
    }
    files.push({ path, mode: mode === '100755' || mode === '120000' ? mode : '100644', id });
  }
  return files;
}

function reasonAgainst(path: string | undefined, mode: string): string | undefined {
  if (mode === '160000') return 'submodule';
  if (path === undefined) return undefined;
  return mode === '120000' ? linkPathProblem(path) : pathProblem(path);
}

export async function* contentsOf(
  files: readonly CommitFile[],
  git: GitOptions,
): AsyncGenerator<CommitFile & { content: Uint8Array }> {
  const contents = objectContents(
    files.map(({ id }) => id),
    git,
  );
  for (const file of files) {
    const next = await contents.next();
    const content = next.done === true ? undefined : next.value;
    if (content === undefined)
      throw unreadable(`${visibleLine(file.path)} can't be read`, undefined);
    yield { ...file, content };
  }
}
