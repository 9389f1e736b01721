import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findLists, type FoundLists, type Judge, type Unlisted } from './judge.ts';
import type { Task } from './types.ts';
import { writeTask } from './write-task.ts';

export interface ListedTask {
  task: Task;
  /** `null` where the exit code alone judges. */
  found: FoundLists | null;
}

/**
 * Writes a task whose lists are found by running its tests before and after the fix. Nothing is
 * written to `into` when they cannot be found.
 *
 * @throws VivariumError as `findLists` and `writeTask`
 */
export async function writeListedTask(
  into: string,
  task: Unlisted,
  judge: Judge,
): Promise<ListedTask> {
  if (task.verifier.reader.kind !== 'junit') {
    return { task: await writeTask(into, { ...task, expected: null }), found: null };
  }
  const trial = await mkdtemp(path.join(tmpdir(), 'vivarium-task-'));
  try {
    const none = { failToPass: [], passToPass: [] };
    const written = await writeTask(trial, { ...task, expected: none });
    const found = await findLists(judge, written, task.fix);
    const source = {
      ...task.source,
      broken_by_fix: found.broken.length,
      hidden_before: found.hidden.length,
    };
    return { task: await writeTask(into, { ...task, source, expected: found.expected }), found };
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
}
