import type { EventOf } from '../../contract/index.ts';
import { completeCell } from '../../evaluation/index.ts';
import { VivariumError } from '../../lib/index.ts';
import type { Environment } from '../environment.ts';
import type { RunDetails } from './types.ts';

/** @throws VivariumError `run_not_found` */
export function showRun(environment: Pick<Environment, 'store'>, idOrPrefix: string): RunDetails {
  const { store } = environment;
  const run = store.run(idOrPrefix);
  const { type: _, ...created } = createdOf(environment, run.runId);
  return { run, created, cells: store.cells(run.runId).map(completeCell) };
}

/** How a run began. */
export function createdOf(
  { store }: Pick<Environment, 'store'>,
  runId: string,
): EventOf<'run.created'> {
  const body = store.events({ sessionId: runId, limit: 1 })[0]?.body;
  if (body?.type === 'run.created') return body;
  throw new VivariumError(
    'store_failed',
    `the record of run ${runId} does not begin with its plan`,
    'Restore the session database from a backup, or start a new run.',
  );
}
