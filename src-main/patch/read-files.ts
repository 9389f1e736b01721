import { objectContents } from '../git/index.ts';
import { contentsOf, filesOf, withCommit, type CommitFile } from './read-commit.ts';
import type { LeftOut } from './types.ts';

/** The files of one commit. */
export interface ReadFiles {
  /** Top folder of the repository. */
  top: string;
  commit: string;
  files: (CommitFile & { content: Uint8Array })[];
  /** What is in the tree and cannot be carried, with the reason. */
  notCarried: LeftOut[];
}

/**
 * All files of a commit, which needs no parent. The repository is only read; see `readCommit`.
 *
 * @throws VivariumError `repo_*`; `usage` for a revision that is no commit
 */
export async function readFiles(
  path: string,
  revision: string,
  signal?: AbortSignal,
): Promise<ReadFiles> {
  return withCommit(
    path,
    revision,
    async ({ top, commit, git }) => {
      const notCarried: LeftOut[] = [];
      const names = await filesOf(commit, git, notCarried);
      const files: ReadFiles['files'] = [];
      for await (const file of contentsOf(names, git)) files.push(file);
      return { top, commit, files, notCarried };
    },
    signal,
  );
}

/**
 * Commits that lead to a revision by their first parents, newest first; merges and the root, which
 * have no single state before them, are left out.
 *
 * @throws VivariumError as {@link readFiles}
 */
export async function firstParents(
  path: string,
  revision: string,
  atMost: number,
  signal?: AbortSignal,
): Promise<string[]> {
  return withCommit(
    path,
    revision,
    async ({ commit, git }) => {
      const found: string[] = [];
      let at: string | undefined = commit;
      for (let seen = 0; at !== undefined && seen < atMost; seen += 1) {
        const parents = await parentsOf(at, git);
        if (parents.length === 1) found.push(at);
        at = parents[0];
      }
      return found;
    },
    signal,
  );
}

async function parentsOf(
  commit: string,
  git: Parameters<typeof objectContents>[1],
): Promise<string[]> {
  for await (const content of objectContents([commit], git)) {
    if (content === undefined) break;
    const header = Buffer.from(content).toString('latin1').split('\n\n')[0] ?? '';
    return [...header.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, id = '']) => id);
  }
  // A shallow clone ends here.
  return [];
}
