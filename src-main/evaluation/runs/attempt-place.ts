import path from 'node:path';
import type { OpenWorkspace } from '../../workspaces/index.ts';
import { attemptWorkspace } from '../grading/workspace-options.ts';
import { hiddenPaths } from '../tasks/read-task.ts';
import type { Task } from '../tasks/types.ts';

function isBelow(folder: string, file: string): boolean {
  return file === folder || file.startsWith(`${folder}/`);
}

/**
 * How the workspace of an attempt has to be for its task. Files of the image that tell the answer are
 * covered, with all that lies beside them, by an empty folder; those in the repository are no part of
 * its snapshot in the first place.
 */
export function attemptPlace(
  task: Task,
  scaffold: { root?: string },
): Pick<OpenWorkspace, 'root' | 'rootfs' | 'scratch'> {
  const place = { ...attemptWorkspace(task), ...trainedRoot(task, scaffold) };
  const outside = hiddenPaths(task).filter((file) => !isBelow(task.workdir, file));
  const covers = new Set([...(place.scratch ?? []), ...outside.map((file) => path.dirname(file))]);
  return covers.size === 0 ? place : { ...place, scratch: [...covers] };
}

/**
 * A task that comes with its own tree and names no place for it is found where the scaffold's models
 * were trained to look; one whose image was built around a place stays there.
 */
function trainedRoot({ tree, workdir, verifier }: Task, { root }: { root?: string }) {
  const isFree = tree.kind === 'archive' && verifier.on === 'patch' && workdir === '/workspace';
  return isFree && root !== undefined ? { root } : {};
}
