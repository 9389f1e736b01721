import { notifyManager, type QueryClient } from '@tanstack/react-query';
import type { LiveItem, OutputOf, SessionRow, StoredEvent } from '../../src-main/contract/index.ts';

/** Events of a session as a query holds them. */
export interface SessionEvents {
  events: StoredEvent[];
  /** Number of the newest one that is known to have been looked at. */
  last: number;
}

type LiveEvent = Extract<LiveItem, { kind: 'event' }>['event'];

/** Keys of what live events patch. */
export const sessionEventsKey = (session: string) => ['session-events', session] as const;
const LISTS = ['sessions/list'] as const;
const SESSION = (session: string) => ['sessions/get', { session }] as const;
/** Of every attempt. */
const REVIEWS = (session: string) => ['review/get', { session }] as const;

/** Kinds that change what a row says beyond its count of steps: the core is asked for it again. */
const ROW_CHANGES: ReadonlySet<string> = new Set([
  'session.created',
  'attempt.started',
  'attempt.finished',
  'patch.made',
  'verification.finished',
  'session.interrupted',
  'session.finished',
]);

/** Kinds that change what a review shows besides what was decided in it. */
const REVIEW_CHANGES: ReadonlySet<string> = new Set([
  'patch.made',
  'verification.finished',
  'patch.exported',
]);

/** Puts a batch of events into the caches: lists of sessions, their records, and their facts. */
export function applyEvents(queries: QueryClient, events: readonly LiveEvent[]): void {
  // All of it is one change to those who draw it.
  notifyManager.batch(() => applyEach(queries, events));
}

function applyEach(queries: QueryClient, events: readonly LiveEvent[]): void {
  const bySession = Map.groupBy(events, ({ sessionId }) => sessionId);
  for (const [session, own] of bySession) {
    queries.setQueryData<SessionEvents>(sessionEventsKey(session), (known) =>
      known === undefined ? undefined : withEvents(known, own),
    );
    if (own.some(({ body }) => ROW_CHANGES.has(body.type))) {
      void queries.invalidateQueries({ queryKey: SESSION(session) });
    }
    if (own.some(({ body }) => REVIEW_CHANGES.has(body.type))) {
      void queries.invalidateQueries({ queryKey: REVIEWS(session) });
    }
  }
  queries.setQueriesData<OutputOf<'sessions/list'>>({ queryKey: LISTS }, (list) =>
    list === undefined
      ? undefined
      : { ...list, rows: list.rows.map((row) => patchedRow(row, bySession.get(row.sessionId))) },
  );
  if (events.some(({ body }) => ROW_CHANGES.has(body.type))) {
    void queries.invalidateQueries({ queryKey: LISTS });
  }
}

/** Events appended in the order of their numbers; those already there are dropped. */
export function withEvents(known: SessionEvents, more: readonly LiveEvent[]): SessionEvents {
  const fresh = more
    .filter(({ number }) => number > known.last)
    .toSorted((one, other) => one.number - other.number);
  const newest = fresh.at(-1);
  if (newest === undefined) return known;
  return { events: [...known.events, ...fresh], last: newest.number };
}

/** What a step alone changes in a row, without asking the core. */
function patchedRow(row: SessionRow, events: readonly LiveEvent[] | undefined): SessionRow {
  const newest = events?.at(-1);
  if (events === undefined || newest === undefined) return row;
  const finished = events.filter(({ body }) => body.type === 'step.finished').length;
  return { ...row, updatedAt: newest.at, steps: row.steps + finished };
}
