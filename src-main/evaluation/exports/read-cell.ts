import type { EventOf, EventType, RunCell } from '../../contract/index.ts';
import { VivariumError } from '../../lib/index.ts';
import { checkedName } from '../tasks/names.ts';
import type { CellRecord, ExportSource } from './types.ts';

/**
 * Reads the record of a cell's last try; `null` when there was none. Nothing is kept, so that an
 * export needs no more memory than its largest attempt.
 * @throws VivariumError `task_invalid` for a name that must not become a path, `store_failed`
 */
export function readCell({ store }: ExportSource, cell: RunCell): CellRecord | null {
  const id = checkedName(cell.task, 'the name of a task');
  const { sessionId, attemptId } = cell;
  if (attemptId === null) return null;
  const session = store.events({ sessionId, limit: 1 })[0]?.body;
  if (session?.type !== 'session.created') throw notBegun(sessionId);
  const events = store.events({ sessionId, attemptId });
  const last = <T extends EventType>(type: T): EventOf<T> | undefined =>
    // The type was compared.
    events.findLast(({ body }) => body.type === type)?.body as EventOf<T> | undefined;
  return {
    ...{ cell, attemptId, id, session, events },
    number: last('attempt.started')?.number ?? cell.tries,
    opened: last('attempt.opened'),
    steps: events.flatMap(({ body, at }) =>
      body.type === 'step.finished' ? [{ ...body, at }] : [],
    ),
    finished: last('attempt.finished'),
    patch: cell.patch.blob === null ? new Uint8Array() : store.blob(cell.patch.blob),
  };
}

function notBegun(sessionId: string): VivariumError {
  return new VivariumError(
    'store_failed',
    `the record of session ${sessionId} does not begin with its plan`,
    'Restore the session database from a backup.',
  );
}
