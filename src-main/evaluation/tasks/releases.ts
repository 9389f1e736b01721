import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { isTestFile } from '../../fix/index.ts';
import { messageOf, readTar, shellWord } from '../../lib/index.ts';
import type { Change } from '../../patch/index.ts';
import { commandVerifier, judgeGlobs } from './command-verifier.ts';
import { changeOf, fixOf } from './fix-of.ts';
import { exactGlob } from './import/patch-files.ts';
import { taskInvalid } from './invalid.ts';
import type { Judge } from './judge.ts';
import { treeProblem } from './tree-path.ts';
import type { TreeFile } from './types.ts';
import { writeListedTask, type ListedTask } from './write-listed-task.ts';

const listSchema = z.object({
  bugs: z.array(
    z.object({
      id: z.string(),
      package: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/),
      buggy: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._+-]*$/),
      fixed: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._+-]*$/),
      issue: z.string().min(1),
    }),
  ),
});

/** A mistake of a released package that the next release fixed. */
export type ReleaseBug = z.infer<typeof listSchema>['bugs'][number];

const MAX_FILE_BYTES = 64 * 2 ** 20;
const WORKDIR = '/workspace';
const TIMEOUT_MS = 600_000;

/** @throws VivariumError `task_invalid` for a list that is none */
export async function readReleaseBugs(file: string): Promise<ReleaseBug[]> {
  try {
    return listSchema.parse(JSON.parse(await readFile(file, 'utf8'))).bugs;
  } catch (error) {
    throw taskInvalid(
      `${file} is no list of releases: ${messageOf(error)}`,
      'Its form: {"bugs": [{"id", "package", "buggy", "fixed", "issue"}]}.',
      error,
    );
  }
}

export interface ReleaseTask {
  bug: ReleaseBug;
  /** Folder with PACKAGE-VERSION.tar.gz of both releases. */
  sdists: string;
  out: string;
  /** With all that the tests import. */
  image: string;
  judge: Judge;
}

/**
 * A task from the source distributions of two releases. The tree is the whole older release, with its
 * own tests; the newer release's changed test files are the hidden tests; its changed modules are the
 * fix. Which tests tell is found by running them.
 *
 * @throws VivariumError `task_invalid` for archives and releases that give no task
 */
export async function taskFromReleases(request: ReleaseTask): Promise<ListedTask> {
  const { bug, sdists, image } = request;
  const archive = (version: string) => path.join(sdists, `${bug.package}-${version}.tar.gz`);
  const before = await readSdist(archive(bug.buggy));
  const after = await readSdist(archive(bug.fixed));
  const { tests, fix } = sortChanges(before, after);
  if (tests.length === 0) {
    throw taskInvalid(
      `${bug.package} ${bug.fixed} changed no test`,
      'Take another pair of releases.',
    );
  }
  const files = Object.fromEntries(tests.map(({ path: name, content }) => [name, content]));
  const modules = tests
    .filter(({ path: name }) => isTestModule(name))
    .map(({ path: name }) => name);
  const command = `python3 -m pytest ${modules.toSorted().map(shellWord).join(' ')}`;
  const source = [...before.keys()].some((name) => name.startsWith('src/'));
  return writeListedTask(
    request.out,
    {
      name: bug.id,
      instruction: bug.issue,
      image,
      workdir: WORKDIR,
      tree: before.values(),
      tests: await commandVerifier({
        workdir: WORKDIR,
        command,
        env: source ? { PYTHONPATH: 'src' } : {},
        files,
      }),
      fix: await fixOf(before.values(), fix),
      verifier: {
        on: 'patch',
        timeoutMs: TIMEOUT_MS,
        reader: { kind: 'junit' },
        protect: [
          ...Object.keys(files).toSorted().map(exactGlob),
          ...judgeGlobs(command, before.keys()),
        ],
      },
      agentTimeoutMs: null,
      source: { kind: 'releases', package: bug.package, buggy: bug.buggy, fixed: bug.fixed },
      keywords: ['releases', 'python'],
    },
    request.judge,
  );
}

function isTestModule(name: string): boolean {
  return /(^|\/)(test_[^/]*|[^/]*_test)\.py$/.test(name);
}

function sortChanges(
  before: ReadonlyMap<string, TreeFile>,
  after: ReadonlyMap<string, TreeFile>,
): { tests: TreeFile[]; fix: Change[] } {
  const tests: TreeFile[] = [];
  const fix: Change[] = [];
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const file = after.get(name);
    const change = changeOf(before.get(name), file);
    if (change === undefined) continue;
    if (isTestFile(name)) {
      if (file !== undefined) tests.push(file);
    } else if (name.endsWith('.py')) fix.push(change);
  }
  return { tests, fix };
}

/** Files of a source distribution without its one folder; what may not be in a tree is left out. */
async function readSdist(file: string): Promise<Map<string, TreeFile>> {
  const files = new Map<string, TreeFile>();
  const unzipped = createReadStream(file).pipe(createGunzip());
  try {
    for await (const entry of readTar(unzipped, { maxFileBytes: MAX_FILE_BYTES })) {
      const name = entry.path.toString('utf8').split('/').slice(1).join('/');
      const mode = (entry.mode & 0o100) === 0 ? '100644' : '100755';
      if (entry.kind !== 'file' || entry.content === null) continue;
      if (treeProblem({ path: name, mode }) !== undefined) continue;
      files.set(name, { path: name, mode, content: entry.content });
    }
  } catch (error) {
    throw taskInvalid(
      `${file} cannot be read: ${messageOf(error)}`,
      'Fetch it with `pip download --no-deps --no-binary :all: NAME==VERSION`.',
      error,
    );
  } finally {
    unzipped.destroy();
  }
  return files;
}
