import type { Database } from 'better-sqlite3';
import { eventBodySchema, type StoredEvent } from '../contract/index.ts';
import { VivariumError, messageOf } from '../lib/index.ts';
import { changeApplier } from './apply-change.ts';
import { runChangeApplier } from './apply-run-change.ts';
import type { Blobs } from './blobs.ts';
import { project } from './project.ts';
import { projectRun } from './project-run.ts';
import type { NewEvent, Store } from './types.ts';

interface EventRow {
  number: number;
  session_id: string;
  attempt_id: string | null;
  at: number;
  type: string;
  body: string;
}

export interface Events {
  /** Stores one event, its contents and what it means for the rows. Needs a transaction around it. */
  add(event: NewEvent): StoredEvent;
  list: Store['events'];
  after: Store['eventsAfter'];
  last: Store['lastNumber'];
}

const KNOWN_TYPES: ReadonlySet<string> = new Set(
  eventBodySchema.options.map((option) => option.shape.type.value),
);

function checkedBody(event: NewEvent): StoredEvent['body'] {
  const parsed = eventBodySchema.safeParse(event.body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new VivariumError(
    'internal',
    `an event of kind ${event.body.type} is malformed at ${issue?.path.join('.') || 'its root'}: ` +
      messageOf(issue?.message ?? 'unknown'),
    'Report this as a fault of Vivarium.',
    parsed.error,
  );
}

/** `undefined` for kinds a newer build wrote: readers skip what they do not know. */
function eventOf(row: EventRow): StoredEvent | undefined {
  if (!KNOWN_TYPES.has(row.type)) return undefined;
  const { number, at, session_id: sessionId, attempt_id: attemptId } = row;
  try {
    return { number, sessionId, attemptId, at, body: eventBodySchema.parse(JSON.parse(row.body)) };
  } catch (cause) {
    throw new VivariumError(
      'store_failed',
      `event ${number} of session ${sessionId} cannot be read`,
      'Use the Vivarium that wrote it, or restore the session database from a backup.',
      cause,
    );
  }
}

/** The append-only record. `now` gives milliseconds since 1970. */
export function openEvents(database: Database, blobs: Blobs, now: () => number): Events {
  const applyChanges = changeApplier(database);
  const applyRunChanges = runChangeApplier(database);
  const insert = database.prepare(
    'INSERT INTO events (session_id, attempt_id, at, type, body) VALUES (?, ?, ?, ?, ?)',
  );
  const bySession = database.prepare<[string, number, string, number], EventRow>(
    `SELECT * FROM events WHERE session_id = ? AND number > ? AND type <> ?
     ORDER BY number LIMIT ?`,
  );
  const byAttempt = database.prepare<[string, string, number, string, number], EventRow>(
    `SELECT * FROM events WHERE attempt_id = ? AND session_id = ? AND number > ? AND type <> ?
     ORDER BY number LIMIT ?`,
  );
  const ofAll = database.prepare<[number, number], EventRow>(
    'SELECT * FROM events WHERE number > ? ORDER BY number LIMIT ?',
  );
  const newest = database.prepare<[], { last: number | null }>(
    'SELECT max(number) AS last FROM events',
  );
  const known = (rows: readonly EventRow[]) =>
    rows.map(eventOf).filter((event) => event !== undefined);
  return {
    add(event) {
      const body = checkedBody(event);
      const { sessionId, attemptId } = event;
      const at = now();
      blobs.put(event.blobs ?? []);
      blobs.requireAll(body);
      const row = insert.run(sessionId, attemptId, at, body.type, JSON.stringify(body));
      const stored = { number: Number(row.lastInsertRowid), sessionId, attemptId, at, body };
      applyChanges(stored, project(stored));
      applyRunChanges(stored, projectRun(stored));
      return stored;
    },
    // A negative LIMIT is none in SQLite.
    list({ sessionId, attemptId, after = 0, limit = -1, without = '' }) {
      const rows =
        attemptId === undefined
          ? bySession.all(sessionId, after, without, limit)
          : byAttempt.all(attemptId, sessionId, after, without, limit);
      return known(rows);
    },
    after({ after, sessionId, limit }) {
      const rows =
        sessionId === undefined
          ? ofAll.all(after, limit)
          : bySession.all(sessionId, after, '', limit);
      return { events: known(rows), last: rows.at(-1)?.number ?? after };
    },
    last: () => newest.get()?.last ?? 0,
  };
}
