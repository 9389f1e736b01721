import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import {
  addTask,
  checkTask,
  importTasks,
  keepCheck,
  preflightTask,
  readChecks,
  readReleaseBugs,
  readTaskSet,
  taskFromReleases,
  taskTree,
  withJudge,
  type JudgeParts,
  type Judges,
  type PreflightRow,
  type Task,
  type TaskSet,
} from '../../evaluation/index.ts';
import { messageOf, VivariumError } from '../../lib/index.ts';
import { findImage, probeEngine } from '../../workspaces/index.ts';
import { chooseImage } from '../choose-image.ts';
import type { Environment } from '../environment.ts';
import { judgeParts } from './judge-parts.ts';
import type { Tasks, TaskChecks } from './task-types.ts';

const RERUNS = 3;
const SEED = 1;

/** Task sets on disk; see {@link Tasks}. */
export function createTasks(environment: Environment): Tasks {
  return {
    list: (folder) => readTaskSet(folder),
    import: (request) => importTasks(request),
    fromReleases: (request) => fromReleases(environment, request),
    add: async (request) => {
      const image = await chooseImage(
        await environment.engine(),
        request.repository,
        request.image,
      );
      return judging(environment, request.signal, ({ patch: judge }) =>
        addTask({ ...request, image, judge }),
      );
    },
    check: (folder, options = {}) => check(environment, folder, options),
    preflight: (folder) => preflight(environment, folder),
  };
}

async function judging<Result>(
  environment: Environment,
  signal: AbortSignal | undefined,
  use: (judges: Judges, parts: JudgeParts) => Promise<Result>,
): Promise<Result> {
  const parts = await judgeParts(environment, signal ?? new AbortController().signal);
  return withJudge(parts, (judges) => use(judges, parts));
}

async function fromReleases(
  environment: Environment,
  { list, signal, onTask, ...request }: Parameters<Tasks['fromReleases']>[0],
): ReturnType<Tasks['fromReleases']> {
  const bugs = await readReleaseBugs(list);
  const chosen = bugs.filter(({ id }) => request.only?.includes(id) ?? true);
  const image = await chooseImage(await environment.engine(), request.sdists, request.image);
  return judging(environment, signal, async ({ patch: judge }) => {
    const report: Awaited<ReturnType<Tasks['fromReleases']>> = { written: [], refused: [] };
    for (const [at, bug] of chosen.entries()) {
      signal?.throwIfAborted();
      try {
        const { task, found } = await taskFromReleases({ ...request, bug, image, judge });
        report.written.push({ task, found });
      } catch (error) {
        if (!(error instanceof VivariumError) || error.code !== 'task_invalid') throw error;
        report.refused.push({ id: bug.id, reason: messageOf(error) });
      }
      onTask?.(bug.id, at + 1, chosen.length);
    }
    return report;
  });
}

async function check(
  environment: Environment,
  folder: string,
  options: NonNullable<Parameters<Tasks['check']>[1]>,
): Promise<TaskChecks> {
  const set = await readTaskSet(folder);
  const tasks = chosenOf(set, options.only);
  return judging(environment, options.signal, async (judges, parts) => {
    const checks: TaskChecks['checks'] = [];
    for (const [at, task] of tasks.entries()) {
      const found = await checkTask(task, {
        judges,
        treeOf: (one) => treeOf(one, parts),
        reruns: options.reruns ?? RERUNS,
        seed: options.seed ?? SEED,
        dropFlaky: options.keepFlaky !== true,
        signal: parts.signal,
      });
      await keepCheck(task, found);
      checks.push(found);
      options.onTask?.(found, at + 1, tasks.length);
    }
    return { checks, refused: set.refused };
  });
}

async function* treeOf(task: Task, parts: JudgeParts): ReturnType<typeof taskTree> {
  yield* taskTree(task, await parts.imageOf(task), parts.readImage);
}

function chosenOf({ tasks }: TaskSet, only: readonly string[] | undefined): Task[] {
  const missing = (only ?? []).filter((name) => !tasks.some((task) => task.name === name));
  if (missing.length === 0) return tasks.filter(({ name }) => only?.includes(name) ?? true);
  throw new VivariumError(
    'usage',
    `there is no task ${missing.join(', ')} in the set`,
    'Name tasks by their folders.',
  );
}

async function preflight(
  environment: Environment,
  folder: string,
): Promise<{ rows: PreflightRow[]; refused: TaskSet['refused'] }> {
  const { tasks, refused } = await readTaskSet(folder);
  const engine = await environment.engine();
  const machine = await probeEngine(engine);
  const known = new Map<string, Promise<Awaited<ReturnType<typeof findImage>>>>();
  const image = (reference: string) => {
    const found = known.get(reference) ?? findImage(engine, reference);
    known.set(reference, found);
    return found;
  };
  const diskBytes = Math.min(machine.freeDiskBytes ?? Infinity, await freeBytes(environment));
  const checks = await readChecks(tasks);
  const rows: PreflightRow[] = [];
  for (const task of tasks) {
    const { cpus, memoryBytes } = machine;
    const facts = { cpus, memoryBytes, diskBytes, image };
    rows.push(await preflightTask(task, facts, checks.get(task.name)));
  }
  return { rows, refused };
}

async function freeBytes({ config }: Environment): Promise<number> {
  let place = config.home;
  while ((await stat(place).catch(() => undefined)) === undefined) place = path.dirname(place);
  const { bavail, bsize } = await statfs(place);
  return bavail * bsize;
}
