import { listSnapshots, removeSnapshot, snapshotOfTree, type Snapshot } from '../../patch/index.ts';
import { sha256 } from '../../lib/index.ts';
import { taskTree } from '../tasks/task-tree.ts';
import type { Task } from '../tasks/types.ts';
import type { RunParts } from './types.ts';

const PREFIX = 'run-';

/** Snapshots of the tasks of one run. Each is made once, shared by its cells, and goes with the last. */
export interface TaskSnapshots {
  /** Says that a cell of the task is to come. */
  expect(task: Task): void;
  /** The snapshot of an expected cell. @throws VivariumError of tasks, images and snapshots */
  take(task: Task, image: string): Promise<Snapshot>;
  /** The cell needs it no more, whether it took it or not. */
  release(task: Task): Promise<void>;
  /** Removes all that is left. */
  dispose(): Promise<void>;
}

type SnapshotParts = Pick<RunParts, 'home' | 'imageTree' | 'signal'>;

/** The id of a snapshot; tasks may have characters in their names that it cannot have. */
export function taskSnapshotId(runId: string, task: string): string {
  return `${PREFIX}${runId}-${sha256(task).slice(0, 16)}`;
}

/** Id of the run that a snapshot belongs to; `undefined` for those of sessions. */
export function runOfSnapshot(id: string): string | undefined {
  return /^run-([0-9a-z]+)-[0-9a-f]{16}$/.exec(id)?.[1];
}

export function createTaskSnapshots(runId: string, parts: SnapshotParts): TaskSnapshots {
  const uses = new Map<string, number>();
  const made = new Map<string, Promise<Snapshot>>();

  async function remove(task: string): Promise<void> {
    const making = made.get(task);
    made.delete(task);
    await making?.catch(() => undefined);
    if (making !== undefined) await removeSnapshot(parts.home, taskSnapshotId(runId, task));
  }

  return {
    expect: ({ name }) => void uses.set(name, (uses.get(name) ?? 0) + 1),
    take(task, image) {
      const known = made.get(task.name);
      if (known !== undefined) return known;
      const making = makeSnapshot(runId, task, image, parts);
      made.set(task.name, making);
      // What failed once may work for the next cell.
      making.catch(() => made.delete(task.name));
      return making;
    },
    async release({ name }) {
      const left = (uses.get(name) ?? 1) - 1;
      uses.set(name, left);
      if (left <= 0) await remove(name);
    },
    async dispose() {
      await Promise.all([...made.keys()].map(remove));
    },
  };
}

/** A snapshot of the tree that a task begins with. The caller removes it by its id. */
export function makeSnapshot(
  runId: string,
  task: Task,
  image: string,
  { home, imageTree, signal }: SnapshotParts,
): Promise<Snapshot> {
  const id = taskSnapshotId(runId, task.name);
  const files = taskTree(task, image, imageTree);
  return snapshotOfTree(files, { home, id, source: task.folder, signal });
}

/**
 * Removes what runs left behind that were killed; `isNeeded` tells which are not to go. Returns how
 * many there were.
 */
export async function reapTaskSnapshots(
  home: string,
  isNeeded: (runId: string, modifiedMs: number) => boolean,
): Promise<number> {
  const ids = (await listSnapshots(home)).flatMap(({ sessionId = '', modifiedMs }) => {
    const runId = runOfSnapshot(sessionId);
    return runId === undefined || isNeeded(runId, modifiedMs) ? [] : [sessionId];
  });
  await Promise.all(ids.map((id) => removeSnapshot(home, id)));
  return ids.length;
}
