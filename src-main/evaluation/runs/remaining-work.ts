import type { ExitReason } from '../../contract/index.ts';
import type { StoredCell } from '../../store/index.ts';
import { orderCells } from './order-cells.ts';
import type { CellJob, RunPlan } from './types.ts';

/** A cell to be done, with what is on record of it. */
export interface CellWork {
  job: CellJob;
  /** `null` = it has not begun. */
  sessionId: string | null;
  /** Attempts made. */
  tries: number;
  /** An attempt that came to its end and only waits for its verdict. */
  ungraded: string | null;
}

/** Endings that say nothing of the model. */
export const INFRA_ENDINGS: ReadonlySet<ExitReason> = new Set<ExitReason>([
  'llm_query_error',
  'workspace_lost',
  'tool_error',
  'unknown',
]);

const CUT_OFF: ReadonlySet<ExitReason> = new Set<ExitReason>(['cancelled', 'interrupted']);

/** What of a run is left to do, in order, after what its cells on record tell. */
export function remainingWork(
  plan: Pick<RunPlan, 'tasks' | 'entries' | 'seeds' | 'retryInfra'>,
  cells: readonly StoredCell[],
): CellWork[] {
  const known = new Map(cells.map((cell) => [keyOf(cell.entry, cell.task, cell.seed), cell]));
  return orderCells(plan).flatMap((job): CellWork[] => {
    const cell = known.get(keyOf(job.entry, job.task.name, job.seed));
    if (cell === undefined) return [{ job, sessionId: null, tries: 0, ungraded: null }];
    if (cell.state === 'graded') return [];
    if (cell.state === 'infra' && plan.retryInfra !== true) return [];
    const { sessionId, tries } = cell;
    return [{ job, sessionId, tries, ungraded: ungradedAttempt(cell) }];
  });
}

function ungradedAttempt({ exitReason, grading, attemptId, state }: StoredCell): string | null {
  if (exitReason === null || grading !== null || state === 'infra') return null;
  return INFRA_ENDINGS.has(exitReason) || CUT_OFF.has(exitReason) ? null : attemptId;
}

function keyOf(entry: number, task: string, seed: number): string {
  return `${entry}/${seed}/${task}`;
}
