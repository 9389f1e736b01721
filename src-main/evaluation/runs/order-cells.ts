import type { CellJob, RunPlan } from './types.ts';

/**
 * The cells of a run in the order they are begun. Entries one after the other: to change the model is
 * the dearest thing a run does. Within an entry all seeds of a task side by side: they begin with the
 * same prompt (system, tools, issue), which the server computes once and then finds in its prefix
 * cache; with other tasks in between it would have been pushed out.
 */
export function orderCells(plan: Pick<RunPlan, 'tasks' | 'entries' | 'seeds'>): CellJob[] {
  return plan.entries.flatMap((_, entry) =>
    plan.tasks.flatMap(({ name, hash }) =>
      plan.seeds.map((seed) => ({ entry, task: { name, hash }, seed })),
    ),
  );
}
