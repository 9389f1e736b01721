import type { OpenWorkspace } from '../../workspaces/index.ts';
import type { Task } from '../tasks/types.ts';

/** Harbor's places: the hidden tests, and what agent and verifier leave behind. */
export const TESTS_FOLDER = '/tests';
export const LOGS_FOLDER = '/logs';
export const RESULTS_FOLDER = '/logs/verifier';

type TaskOptions = Pick<OpenWorkspace, 'root' | 'rootfs' | 'scratch'>;

/**
 * What the workspace of an attempt needs besides image, seed and limits. A task that is judged by
 * the state of the whole container can change all of it, and is graded in the same one.
 */
export function attemptWorkspace(task: Task): TaskOptions {
  if (task.verifier.on === 'patch') return { root: task.workdir };
  return { root: task.workdir, rootfs: 'writable', scratch: [LOGS_FOLDER, TESTS_FOLDER] };
}

/**
 * What the fresh workspace of a grading needs. Verifiers of foreign images were written for the
 * owner of the image: they install what they test, and write where they like.
 */
export function gradingWorkspace(task: Task): TaskOptions {
  const rootfs = task.tree.kind === 'image' ? 'writable' : 'read-only';
  return { root: task.workdir, rootfs, scratch: [LOGS_FOLDER, TESTS_FOLDER] };
}
