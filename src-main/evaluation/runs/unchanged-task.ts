import { VivariumError } from '../../lib/index.ts';
import { hashTask } from '../tasks/hash-task.ts';
import type { Task } from '../tasks/types.ts';

/**
 * Tests lie in the folder of the task until they are needed, for hours perhaps. A verdict by others
 * than those that the run names would be one over another task.
 * @throws VivariumError `task_changed`
 */
export async function requireUnchanged(task: Task): Promise<void> {
  let cause: unknown;
  const now = await hashTask(task.folder).catch((error: unknown) => {
    cause = error;
    return null;
  });
  if (now === task.hash) return;
  throw new VivariumError(
    'task_changed',
    `the task ${task.name} was changed since the run began`,
    'Put it back as it was, then go on with `vivarium eval run --resume RUN --retry-infra`; or begin a new run.',
    cause,
  );
}
