import { messageOf, VivariumError } from '../../lib/index.ts';
import { thrownFailure, toError } from './failure.ts';
import { removeFile, type ServerFiles } from './files.ts';
import type { LifeEnd } from './server-life.ts';
import type { StatusBoard } from './status-board.ts';

/** How a server ended, and what whoever waits for it to be ready is told; `null` = it was stopped. */
export interface LifeOutcome {
  end: LifeEnd;
  error: unknown;
}

/** Never rejects: every way to end is a stated one. */
export async function endOfLife(
  life: Promise<LifeEnd>,
  stopping: AbortSignal,
): Promise<LifeOutcome> {
  try {
    const end = await life;
    return { end, error: end.kind === 'stopped' ? stopping.reason : null };
  } catch (error) {
    if (stopping.aborted) return { end: { kind: 'stopped' }, error: stopping.reason };
    const told =
      error instanceof VivariumError
        ? error
        : new VivariumError('internal', messageOf(error), 'This is a fault of Vivarium.', error);
    return { end: { kind: 'failed', failure: thrownFailure(told) }, error: told };
  }
}

/** Writes the last state. */
export function showEnd(
  board: StatusBoard,
  files: ServerFiles,
  name: string,
  outcome: LifeOutcome,
): void {
  const { end } = outcome;
  removeFile(files.access);
  const gone = { owner: null, pid: null, address: null, servedName: null, users: 0 };
  if (end.kind === 'failed') {
    outcome.error ??= toError(name, end.failure);
    board.update({ ...gone, state: 'failed', progress: null, failure: end.failure });
    return;
  }
  if (board.status().state !== 'stopping') board.update({ state: 'stopping' });
  board.update({ ...gone, state: 'stopped', progress: null, failure: null });
}
