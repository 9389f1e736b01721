import path from 'node:path';
import type { OpenWorkspace } from '../../workspaces/index.ts';
import { attemptWorkspace } from '../grading/workspace-options.ts';
import { hiddenPaths } from '../tasks/read-task.ts';
import type { Task } from '../tasks/types.ts';

/** Whether a path of an image lies in a folder of it, or is that folder. */
export function isBelow(folder: string, file: string): boolean {
  return file === folder || file.startsWith(`${folder}/`);
}

/**
 * How the workspace of an attempt has to be for its task. Files of the image that tell the answer are
 * covered, with all that lies beside them, by an empty folder; those in the repository are no part of
 * its snapshot in the first place.
 */
export function attemptPlace(task: Task): Pick<OpenWorkspace, 'root' | 'rootfs' | 'scratch'> {
  const place = attemptWorkspace(task);
  const outside = hiddenPaths(task).filter((file) => !isBelow(task.workdir, file));
  const covers = new Set([...(place.scratch ?? []), ...outside.map((file) => path.dirname(file))]);
  return covers.size === 0 ? place : { ...place, scratch: [...covers] };
}
