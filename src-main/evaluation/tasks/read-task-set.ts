import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, sha256, VivariumError } from '../../lib/index.ts';
import { taskInvalid } from './invalid.ts';
import { readTask } from './read-task.ts';
import type { Task, TaskSet } from './types.ts';

/**
 * A folder of task directories, or one task directory, sorted by name. What looks like a task and is
 * none stands in `refused`.
 *
 * @throws VivariumError `task_invalid` when there is no task at all
 */
export async function readTaskSet(folder: string): Promise<TaskSet> {
  const place = await realpath(folder).catch((error: unknown) => {
    throw taskInvalid(`the folder ${folder} cannot be read`, 'Check the path of the tasks.', error);
  });
  if (await isFile(path.join(place, 'task.toml'))) {
    return setOf(place, [await readTask(place)], []);
  }
  const tasks: Task[] = [];
  const refused: TaskSet['refused'] = [];
  for (const name of await foldersOf(place)) {
    const task = await readOne(path.join(place, name));
    if (task === undefined) continue;
    if ('reason' in task) refused.push(task);
    else tasks.push(task);
  }
  if (tasks.length === 0) throw nothing(place, refused);
  return setOf(place, tasks, refused);
}

async function foldersOf(place: string): Promise<string[]> {
  const entries = await readdir(place, { withFileTypes: true }).catch((error: unknown) => {
    throw taskInvalid(`${place} is no folder`, 'Name a folder of tasks.', error);
  });
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort((a, b) => (a < b ? -1 : 1));
}

async function readOne(
  folder: string,
): Promise<Task | { folder: string; reason: string } | undefined> {
  if (!(await isFile(path.join(folder, 'task.toml')))) {
    const looksLikeOne = await isFile(path.join(folder, 'instruction.md'));
    return looksLikeOne ? { folder, reason: 'task.toml is missing' } : undefined;
  }
  try {
    return await readTask(folder);
  } catch (error) {
    if (!(error instanceof VivariumError)) throw error;
    return { folder, reason: messageOf(error) };
  }
}

async function isFile(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined))?.isFile() === true;
}

function setOf(folder: string, tasks: Task[], refused: TaskSet['refused']): TaskSet {
  const hash = sha256(tasks.map(({ name, hash }) => `${name}\0${hash}\n`).join(''));
  return { folder, tasks, hash, refused };
}

function nothing(place: string, refused: TaskSet['refused']): Error {
  const first = refused[0];
  const why = first === undefined ? '' : `: ${first.reason}`;
  return taskInvalid(
    `there is no task in ${place}${why}`,
    'Name a folder of Harbor task directories, or make some with `vivarium tasks import`.',
  );
}
