import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { CellRow, ItemOf } from '../../contract/index.ts';
import { completeCell } from '../../evaluation/index.ts';
import { isAlive } from '../../lib/index.ts';
import type { Store, StoredCell } from '../../store/index.ts';
import { cellRow, indexOfTasks } from './cell-row.ts';
import { createdOf } from './list.ts';

const EVERY_MS = 500;
const SIGNS_OF_LIFE_MS = 5_000;
/** Steps can be large: few at a time, and others get their turn between. */
const BATCH = 16;

/**
 * What changes in a run after an event's number, whichever process wrote it: the rows of the cells
 * that had an event, read anew, so that one that comes late sees each once, and as it is now.
 */
export async function* watchRun(
  store: Store,
  { runId, after, signal }: { runId: string; after: number; signal: AbortSignal },
): AsyncGenerator<ItemOf<'evaluation/watch'>, Record<string, never>, void> {
  const index = indexOfTasks(createdOf({ store }, runId).tasks);
  const ours = ofRun(store, runId);
  let read = Math.min(after, store.lastNumber());
  let told = '';
  let lookedAt = performance.now();
  while (!signal.aborted) {
    if (performance.now() - lookedAt > SIGNS_OF_LIFE_MS) {
      lookedAt = performance.now();
      store.markInterrupted(isAlive);
    }
    const changed = new Set<string>();
    const isFirst = told === '';
    const before = read;
    for (let more = store.lastNumber() > read; more && !signal.aborted;) {
      const { events, last } = store.eventsAfter({ after: read, limit: BATCH });
      for (const { sessionId } of events) if (ours(sessionId)) changed.add(sessionId);
      more = last > read;
      read = last;
      await turn();
    }
    if (!isFirst && read === before) {
      await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
      continue;
    }
    const summary = store.run(runId);
    const cells = rowsOf(store, changed, index);
    const now = JSON.stringify(summary);
    if (cells.length > 0 || now !== told) yield { number: read, summary, cells };
    told = now;
    await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  return {};
}

function rowsOf(
  store: Store,
  sessions: ReadonlySet<string>,
  index: ReadonlyMap<string, number>,
): CellRow[] {
  return [...sessions]
    .map((session) => store.cell(session))
    .filter((cell): cell is StoredCell => cell !== undefined)
    .map((cell) => cellRow(completeCell(cell), index))
    .filter((row) => row !== null);
}

/** Whether a session is a cell of the run. What a session is never changes, so it is asked once. */
function ofRun(store: Store, runId: string): (session: string) => boolean {
  const known = new Map<string, boolean>();
  return (session) => {
    const is = known.get(session) ?? store.cell(session)?.runId === runId;
    known.set(session, is);
    return is;
  };
}
