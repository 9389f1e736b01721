import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SDISTS = path.join(ROOT, '.cache', 'sdists');

const bugSchema = z.object({
  id: z.string(),
  package: z.string(),
  buggy: z.string(),
  fixed: z.string(),
  test: z.string(),
  failToPass: z.number(),
  passToPass: z.number(),
  issue: z.string(),
});

/** A real mistake of a released package; see `real-bugs.json`. */
export type RealBug = z.infer<typeof bugSchema>;

export async function readBugs(): Promise<RealBug[]> {
  const text = await readFile(path.join(import.meta.dirname, 'real-bugs.json'), 'utf8');
  return z.object({ bugs: z.array(bugSchema) }).parse(JSON.parse(text)).bugs;
}

async function unpack(bug: RealBug, version: string, into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  const archive = path.join(SDISTS, `${bug.package}-${version}.tar.gz`);
  await execa('tar', ['xzf', archive, '-C', into, '--strip-components=1', '--no-same-owner']);
}

const isTest = (file: string): boolean => /(^|\/)tests?\//.test(file);

/** Test files that the fixed release changed or added. */
async function changedTests(buggy: string, fixed: string): Promise<string[]> {
  const entries = await readdir(fixed, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(fixed, path.join(entry.parentPath, entry.name)))
    .filter(isTest)
    .toSorted();
  const changed: string[] = [];
  for (const file of files) {
    const now = await readFile(path.join(fixed, file));
    const was = await readFile(path.join(buggy, file)).catch(() => undefined);
    if (was === undefined || !now.equals(was)) changed.push(file);
  }
  return changed;
}

/** Git without any settings of the person at this machine. */
const GIT_ENV = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
  // Same files, same commit.
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
};

export async function git(repository: string, ...args: string[]): Promise<string> {
  const { stdout } = await execa('git', args, { cwd: repository, env: GIT_ENV });
  return stdout;
}

/**
 * Builds the task's repository below `folder`: the buggy release with the fixed release's tests,
 * in one commit.
 *
 * @returns its path, and the test files that differ between the releases
 */
export async function buildRepository(
  bug: RealBug,
  folder: string,
): Promise<{ repository: string; tests: string[] }> {
  const repository = path.join(folder, 'repository');
  const fixed = path.join(folder, 'fixed');
  await unpack(bug, bug.buggy, repository);
  await unpack(bug, bug.fixed, fixed);
  const tests = await changedTests(repository, fixed);
  for (const file of tests) await cp(path.join(fixed, file), path.join(repository, file));
  await commitAll(repository, `${bug.package} ${bug.buggy}`);
  return { repository, tests };
}

/** Unpacks the fixed release into `repository`, which is not there yet, as one commit. */
export async function fixedRelease(bug: RealBug, repository: string): Promise<void> {
  const unfinished = `${repository}.part`;
  await rm(unfinished, { recursive: true, force: true });
  await unpack(bug, bug.fixed, unfinished);
  await commitAll(unfinished, `${bug.package} ${bug.fixed}`);
  await rename(unfinished, repository);
}

async function commitAll(repository: string, message: string): Promise<void> {
  await git(repository, 'init', '--quiet', '--initial-branch=main');
  await git(repository, 'add', '--all', '--force');
  await git(repository, 'commit', '--quiet', '--message', message);
}
