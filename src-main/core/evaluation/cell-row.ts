import type { CellRow, RunCell } from '../../contract/index.ts';

/** A cell in the few members that a matrix shows. @param taskIndex by the name of a task */
export function cellRow(cell: RunCell, taskIndex: ReadonlyMap<string, number>): CellRow | null {
  const task = taskIndex.get(cell.task);
  if (task === undefined) return null;
  return [
    ...([cell.sessionId, task, cell.entry, cell.seed] as const),
    ...([cell.state, cell.outcome, cell.ending, cell.steps, cell.tries, cell.premature] as const),
    cell.suspicions[0]?.step ?? null,
    cell.label?.label ?? null,
  ];
}

export function indexOfTasks(tasks: readonly { name: string }[]): Map<string, number> {
  return new Map(tasks.map(({ name }, at) => [name, at]));
}
