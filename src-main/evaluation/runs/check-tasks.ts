import type { RunTask } from '../../contract/index.ts';
import { VivariumError } from '../../lib/index.ts';
import type { Task, TaskSet } from '../tasks/types.ts';

/**
 * The tasks of a run as they are on disk now, in the run's order.
 * @throws VivariumError `task_changed` when one of them is another or gone: what is on record of it
 * would be mixed with results of something else
 */
export function checkTasks(
  recorded: readonly RunTask[],
  { tasks, folder }: Pick<TaskSet, 'tasks' | 'folder'>,
): Task[] {
  const now = new Map(tasks.map((task) => [task.name, task]));
  return recorded.map(({ name, hash }) => {
    const task = now.get(name);
    if (task === undefined) throw changed(name, `is not in ${folder} any more`);
    if (task.hash !== hash) throw changed(name, 'was changed since the run began');
    return task;
  });
}

function changed(name: string, how: string): VivariumError {
  return new VivariumError(
    'task_changed',
    `the task ${name} ${how}`,
    'Put it back as it was and resume, or start a new run.',
  );
}
