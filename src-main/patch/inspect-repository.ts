import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { objectContents, statusCounts } from '../git/index.ts';
import type { GitOptions } from '../git/index.ts';
import { makeFolder } from '../lib/index.ts';
import { makeReader } from './repository-reader.ts';
import { findRepository } from './repository.ts';
import { snapshotsFolder } from './snapshot-folder.ts';

/** What a person wants to see of a repository before a fix starts. */
export interface RepositoryLook {
  /** Real path of the top level. */
  top: string;
  /** `branch` is `null` when HEAD is detached; `subject` is the first line of the commit's message. */
  head: { commit: string; branch: string | null; subject: string };
  /** Paths that differ from HEAD, and files that are neither tracked nor ignored. */
  dirty: { modified: number; untracked: number };
}

/**
 * Looks at the repository a folder is in. It is only read: git sees its objects, index and files
 * through a folder of ours, without its configuration and hooks.
 * @throws VivariumError as `findRepository`
 */
export async function inspectRepository(
  path: string,
  { home, signal }: { home: string; signal?: AbortSignal },
): Promise<RepositoryLook> {
  const repository = await findRepository(path, signal);
  const folder = snapshotsFolder(home);
  const work = join(folder, `.inspect.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await makeFolder(folder, 0o700);
    await mkdir(work, { mode: 0o700 });
    const reader = await makeReader(repository, work, signal);
    await writeFile(join(work, 'HEAD'), `${repository.head}\n`);
    const config = [
      `core.fileMode=${repository.trustModes}`,
      `core.symlinks=${repository.trustLinks}`,
    ];
    const [branch, subject, dirty] = await Promise.all([
      branchOf(repository.gitDir),
      subjectOf(repository.head, reader),
      statusCounts({ ...reader, config: [...(reader.config ?? []), ...config] }),
    ]);
    return { top: repository.top, head: { commit: repository.head, branch, subject }, dirty };
  } finally {
    await rm(work, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function branchOf(gitDir: string): Promise<string | null> {
  const text = await readFile(join(gitDir, 'HEAD'), 'utf8').catch(() => '');
  return /^ref: refs\/heads\/(.+)$/m.exec(text)?.[1] ?? null;
}

async function subjectOf(commit: string, reader: GitOptions): Promise<string> {
  for await (const content of objectContents([commit], reader)) {
    const text = Buffer.from(content ?? []).toString('utf8');
    const message = text.slice(text.indexOf('\n\n') + 2).trimStart();
    return message.split('\n')[0] ?? '';
  }
  return '';
}
