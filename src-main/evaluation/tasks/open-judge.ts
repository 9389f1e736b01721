import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newId } from '../../lib/index.ts';
import { removeSnapshot, snapshotOfTree, type Snapshot } from '../../patch/index.ts';
import type { OpenWorkspace, Workspace, WorkspaceLimits } from '../../workspaces/index.ts';
import { grade } from '../grading/grade.ts';
import type { Judge } from './judge.ts';
import { taskTree, type ReadImage } from './task-tree.ts';
import type { Task } from './types.ts';

/** What judging needs of the machine. */
export interface JudgeParts {
  openWorkspace(options: OpenWorkspace): Promise<Workspace>;
  readImage: ReadImage;
  /** Local id of the image. @throws VivariumError `image_missing` */
  imageOf(task: Task): Promise<string>;
  limitsOf(task: Task): WorkspaceLimits;
  signal: AbortSignal;
}

/**
 * Lends a judge to `use`. The snapshot of the task judged last is kept, since a task is judged several
 * times in a row; all are gone at the end.
 */
export async function withJudge<Result>(
  parts: JudgeParts,
  use: (judge: Judge) => Promise<Result>,
): Promise<Result> {
  const home = await mkdtemp(path.join(tmpdir(), 'vivarium-judge-'));
  const session = `check-${newId()}`;
  let kept: { hash: string; id: string; snapshot: Snapshot } | undefined;
  const snapshotOf = async (task: Task, image: string): Promise<Snapshot> => {
    if (kept?.hash === task.hash) return kept.snapshot;
    if (kept !== undefined) await removeSnapshot(home, kept.id);
    const id = newId();
    const files = taskTree(task, image, parts.readImage);
    const options = { home, id, source: task.folder, signal: parts.signal };
    const snapshot = await snapshotOfTree(files, options);
    kept = { hash: task.hash, id, snapshot };
    return snapshot;
  };
  const judge: Judge = async (task, patch) => {
    const image = await parts.imageOf(task);
    return grade({
      task,
      image,
      snapshot: await snapshotOf(task, image),
      changes: patch,
      openWorkspace: (options) => parts.openWorkspace(options),
      limits: parts.limitsOf(task),
      labels: { session, attempt: task.name },
      signal: parts.signal,
    });
  };
  try {
    return await use(judge);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
