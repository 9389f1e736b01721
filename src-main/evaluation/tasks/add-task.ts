import { isTestFile } from '../../fix/index.ts';
import { readCommit, type ReadCommit } from '../../patch/index.ts';
import { commandVerifier, judgeGlobs } from './command-verifier.ts';
import { changedPaths, collectFiles } from './commit-files.ts';
import { changeOf, fixOf } from './fix-of.ts';
import { exactGlob } from './import/patch-files.ts';
import { taskInvalid } from './invalid.ts';
import type { Judge } from './judge.ts';
import type { TreeFile } from './types.ts';
import { runnerOf } from './runners/index.ts';
import { writeListedTask, type ListedTask } from './write-listed-task.ts';

export interface AddRequest {
  repository: string;
  /** Commit that fixed the bug, with the tests that show it. */
  commit: string;
  issue: string;
  /** Shell command that runs the tests. */
  verify: string;
  out: string;
  name?: string | undefined;
  image: string;
  timeoutMs?: number | undefined;
  judge: Judge;
  signal?: AbortSignal | undefined;
}

const WORKDIR = '/workspace';
const TIMEOUT_MS = 1_800_000;

/**
 * Turns a fixed bug of the user's history into a task: the tree before the commit, its test files as
 * hidden tests, the rest of it as the fix. The repository is only read.
 *
 * @throws VivariumError `repo_*`, `usage` for the commit, `task_invalid` for one that gives no task
 */
export async function addTask(request: AddRequest): Promise<ListedTask & { notCarried: string[] }> {
  const { repository, commit, signal } = request;
  return readCommit(repository, commit, (read) => taskOf(read, request), signal);
}

async function taskOf(
  read: ReadCommit,
  request: AddRequest,
): Promise<ListedTask & { notCarried: string[] }> {
  const tree = await collectFiles(read, read.before);
  const changed = await changedFiles(read, tree);
  const tests = changed.filter(({ path }) => isTestFile(path));
  const rest = changed.filter(({ path }) => !isTestFile(path));
  refuseOneSided(read, tests.length, rest.length);
  const files = Object.fromEntries(
    tests.flatMap(({ path, after }) => (after === undefined ? [] : [[path, after.content]])),
  );
  const fix = rest.flatMap(({ before, after }) => changeOf(before, after) ?? []);
  const byTests = runnerOf(request.verify) !== undefined;
  const listed = await writeListedTask(
    request.out,
    {
      name: request.name ?? nameOf(read),
      instruction: request.issue,
      image: request.image,
      workdir: WORKDIR,
      tree: tree.values(),
      tests: await commandVerifier({
        workdir: WORKDIR,
        command: request.verify,
        files,
        removed: tests.flatMap(({ path, after }) => (after === undefined ? [path] : [])),
        judgedBy: byTests ? 'tests' : 'exit-code',
      }),
      fix: await fixOf(tree.values(), fix),
      verifier: {
        on: 'patch',
        timeoutMs: request.timeoutMs ?? TIMEOUT_MS,
        reader: { kind: byTests ? 'junit' : 'reward' },
        protect: [
          ...tests.map(({ path }) => exactGlob(path)),
          ...judgeGlobs(request.verify, tree.keys()),
        ],
      },
      agentTimeoutMs: null,
      source: { kind: 'commit', commit: read.commit, parent: read.parent, subject: read.subject },
    },
    request.judge,
  );
  return { ...listed, notCarried: read.notCarried.map(({ path, reason }) => `${path}: ${reason}`) };
}

function refuseOneSided({ commit }: ReadCommit, tests: number, rest: number): void {
  if (tests > 0 && rest > 0) return;
  const what = tests === 0 ? 'changes no test files' : 'changes nothing but test files';
  throw taskInvalid(
    `commit ${commit.slice(0, 12)} ${what}`,
    'Take a commit that fixes a bug and brings the tests that show it.',
  );
}

/** `SUBJECT-COMMIT` in characters that a task's name may have. */
function nameOf({ subject, commit }: ReadCommit): string {
  const words = subject.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return [...words.slice(0, 6), commit.slice(0, 10)].join('-').slice(0, 100);
}

interface Changed {
  path: string;
  before: TreeFile | undefined;
  after: TreeFile | undefined;
}

async function changedFiles(
  read: ReadCommit,
  tree: ReadonlyMap<string, TreeFile>,
): Promise<Changed[]> {
  const paths = changedPaths(read);
  const wanted = new Set(paths);
  const contents = await collectFiles(
    read,
    read.after.filter(({ path }) => wanted.has(path)),
  );
  return paths.map((path) => ({ path, before: tree.get(path), after: contents.get(path) }));
}
