import { hashTask, readTaskSet, type OutFolder, type Task } from '../../evaluation/index.ts';
import { VivariumError } from '../../lib/index.ts';
import type { Split, Trajectory } from './types.ts';

/**
 * Copies tasks below `SPLIT/tasks`, each content once, and returns the name that it has there: its
 * own, or with the begin of its hash where another content has that. `null` when the folder of its
 * run does not hold it any more as it was then.
 */
export function createTaskCopier(
  out: OutFolder,
): (attempt: Trajectory, split: Split) => Promise<string | null> {
  const sets = new Map<string, ReadonlyMap<string, Task>>();
  const places = new Map<string, string>();
  return async ({ source: { created }, record: { id } }, split) => {
    const { tasksFolder } = created;
    const set = sets.get(tasksFolder) ?? (await tasksOf(tasksFolder));
    sets.set(tasksFolder, set);
    const hash = created.tasks.find(({ name }) => name === id)?.hash ?? '';
    const known = places.get(`${id} ${hash}`);
    if (known !== undefined) return known;
    const task = set.get(id);
    if (task?.hash !== hash) return null;
    const isTaken = [...places.values()].includes(id);
    const name = isTaken ? `${id}.${hash.slice(0, 8)}` : id;
    const copy = await out.copy([split, 'tasks', name], task.folder);
    if ((await hashTask(copy)) !== hash) throw changed(task.folder);
    places.set(`${id} ${hash}`, name);
    return name;
  };
}

function changed(folder: string): VivariumError {
  return new VivariumError(
    'task_invalid',
    `${folder} changed while it was copied`,
    'Run the command again while nobody writes there.',
  );
}

async function tasksOf(folder: string): Promise<ReadonlyMap<string, Task>> {
  try {
    return new Map((await readTaskSet(folder)).tasks.map((task) => [task.name, task]));
  } catch (error) {
    if (error instanceof VivariumError && error.code === 'task_invalid') return new Map();
    throw error;
  }
}
