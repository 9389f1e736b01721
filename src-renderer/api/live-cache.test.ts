import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../src-main/contract/index.ts';
import { applyEvents, sessionEventsKey, withEvents } from './live-cache.ts';

const event = (number: number, body: StoredEvent['body'], sessionId = 'a'): StoredEvent => ({
  number,
  sessionId,
  attemptId: null,
  at: number * 1000,
  body,
});
const note = { type: 'note', level: 'info', text: 'x' } as const;
const ended = {
  type: 'session.finished',
  outcome: 'verified',
  attemptId: null,
  detail: null,
} as const;

describe('events into caches', () => {
  it('appends by number, once, and in order', () => {
    const known = { events: [event(3, note)], last: 4 };
    const next = withEvents(known, [event(6, note), event(4, note), event(5, note)]);
    expect(next.events.map(({ number }) => number)).toEqual([3, 5, 6]);
    expect(next.last).toBe(6);
    expect(withEvents(next, [event(6, note)])).toBe(next);
  });

  it('a review is read again when its patch was verified or exported, that of its session only', () => {
    const queries = new QueryClient();
    const keys = ['a', 'b'].map((session) => ['review/get', { session, attempt: `${session}.1` }]);
    for (const key of keys) queries.setQueryData(key, {});
    const stale = () => keys.map((key) => queries.getQueryState(key)?.isInvalidated);
    applyEvents(queries, [event(1, note), event(2, ended)]);
    expect(stale()).toEqual([false, false]);
    const exported = { files: [], appliesToWorkingTree: true, appliesDetail: null };
    applyEvents(queries, [event(3, { type: 'patch.exported', ...exported })]);
    expect(stale()).toEqual([true, false]);
  });

  it('leaves sessions alone whose record nobody reads', () => {
    const queries = new QueryClient();
    queries.setQueryData(sessionEventsKey('a'), { events: [], last: 0 });
    applyEvents(queries, [event(1, note), event(2, note, 'b')]);
    expect(queries.getQueryData(sessionEventsKey('a'))).toEqual({
      events: [event(1, note)],
      last: 1,
    });
    expect(queries.getQueryData(sessionEventsKey('b'))).toBeUndefined();
  });

  it('asks for rows again when more than their steps changed', () => {
    const queries = new QueryClient();
    const key = ['sessions/list', {}];
    const list = { rows: [{ sessionId: 'a', updatedAt: 0, steps: 1 }], total: 1 };
    queries.setQueryData(key, list);
    applyEvents(queries, [event(1, note)]);
    expect(queries.getQueryState(key)?.isInvalidated).toBe(false);
    expect(queries.getQueryData(key)).toMatchObject({ rows: [{ updatedAt: 1000, steps: 1 }] });
    applyEvents(queries, [event(2, ended)]);
    expect(queries.getQueryState(key)?.isInvalidated).toBe(true);
  });
});
