import type { Task } from '../../evaluation/index.ts';

/** How much longer tests may run with a bug than without one; the rest is room for a busy machine. */
const TIMES = 10;
const ROOM_MS = 30_000;

/**
 * The same task with a limit that fits how long its tests run without a bug: one that never ends is
 * told within minutes. Never more than the task's own.
 */
export function withinTime(task: Task, longestSeconds: number): Task {
  const limit = Math.ceil(longestSeconds * 1000 * TIMES) + ROOM_MS;
  const timeoutMs = Math.min(task.verifier.timeoutMs, limit);
  return { ...task, verifier: { ...task.verifier, timeoutMs } };
}
