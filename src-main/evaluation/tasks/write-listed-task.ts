import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findLists, type FoundLists, type Judge, type Unlisted } from './judge.ts';
import type { Task, TreeFile } from './types.ts';
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
  unlisted: Unlisted,
  judge: Judge,
): Promise<ListedTask> {
  // It is written twice, and an iterator gives its files only once.
  const tree = unlisted.tree === null ? null : await collected(unlisted.tree);
  const task = { ...unlisted, tree };
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

async function collected(files: AsyncIterable<TreeFile> | Iterable<TreeFile>): Promise<TreeFile[]> {
  const found: TreeFile[] = [];
  for await (const file of files) found.push(file);
  return found;
}
