import type { OpenWorkspace } from '../../workspaces/index.ts';
import { hiddenPaths } from './read-task.ts';
import type { Task, TreeFile } from './types.ts';
import { unpackTree } from './unpack-tree.ts';

/** Files below a folder of an image; see `imageTree` of the workspaces. */
export type ReadImage = (image: string, folder: string) => OpenWorkspace['seed'];

/** Files that a workspace of a task begins with; what an agent must not find is left out. */
export async function* taskTree(
  task: Task,
  image: string,
  readImage: ReadImage,
): AsyncGenerator<TreeFile, void, undefined> {
  if (task.tree.kind === 'archive') {
    yield* unpackTree(task.tree.file);
    return;
  }
  const hidden = hiddenPaths(task);
  for await (const { path, mode, content } of readImage(image, task.workdir)) {
    const place = `${task.workdir}/${path}`;
    const isHidden = hidden.some((one) => place === one || place.startsWith(`${one}/`));
    if (mode !== '40000' && !isHidden) yield { path, mode, content };
  }
}
