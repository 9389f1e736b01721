import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { emptyTree, makeGitDir } from '../git/index.ts';
import type { GitOptions, ObjectFormat } from '../git/index.ts';
import { messageOf, visibleLine, VivariumError } from '../lib/index.ts';

/** A git folder for one computation: objects that are made go there and are removed with it. */
export interface Scratch {
  folder: string;
  format: ObjectFormat;
  git: GitOptions;
  /** A path for a new index. */
  indexFile(): string;
}

/**
 * Runs `work` with a fresh scratch folder below `parent`, whatever happens removed at the end. HEAD
 * is unborn and there are no attributes, so nothing of a tree steers git; `alternates` are read only.
 */
export async function withScratch<Result>(
  options: {
    parent: string;
    format: ObjectFormat;
    alternates: readonly string[];
    signal?: AbortSignal | undefined;
  },
  work: (scratch: Scratch) => Promise<Result>,
): Promise<Result> {
  const folder = join(options.parent, `scratch-${randomBytes(8).toString('hex')}`);
  let indexes = 0;
  try {
    await makeScratchFolder(folder);
    await makeGitDir(join(folder, 'git'), options.format);
    return await work({
      folder,
      format: options.format,
      git: {
        cwd: folder,
        gitDir: join(folder, 'git'),
        alternates: options.alternates,
        // Newer git reads attributes from HEAD in a bare repository unless told otherwise.
        attributes: emptyTree(options.format),
        // What is thrown away at the end need not survive a power loss.
        config: ['core.fsync=none', 'core.looseCompression=0'],
        signal: options.signal,
      },
      indexFile: () => join(folder, `index-${(indexes += 1)}`),
    });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function makeScratchFolder(folder: string): Promise<void> {
  // Not recursive: a snapshot that was removed must not come back as an empty folder.
  await mkdir(folder, { mode: 0o700 }).catch((fault: unknown) => {
    const full = fault instanceof Error && 'code' in fault && fault.code === 'ENOSPC';
    throw new VivariumError(
      full ? 'disk_full' : 'store_failed',
      `the snapshot can't be used: ${visibleLine(messageOf(fault))}`,
      full ? 'Free some disk space and try again.' : 'Start a new session.',
      fault,
    );
  });
}
