import Database from 'better-sqlite3';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from './index.ts';
import { begin, sample } from './sample-events.ts';
import { pageSql } from './session-list.ts';
import type { SessionListQuery, Store } from './types.ts';

let folder: string;
let file: string;
let store: Store;
let clock: number;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vivarium-list-'));
  file = path.join(folder, 'record.sqlite');
  clock = 1000;
  store = openStore(file, { now: () => (clock += 1000) });
});

afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const ALL: SessionListQuery = {
  text: '',
  states: [],
  repository: null,
  archived: false,
  sort: 'newest',
  offset: 0,
  limit: 200,
};

function ids(query: Partial<SessionListQuery> = {}, of: Store = store): string[] {
  return of.listSessions({ ...ALL, ...query }).rows.map(({ sessionId }) => sessionId);
}

function create(sessionId: string, title: string, repository = '/home/ann/shop'): void {
  store.append(sample('session.created', { title, repository }, { sessionId }));
}

describe('the list of sessions', () => {
  test('words are looked for in title, repository, model and id, all of them, in any case', () => {
    create('s1', 'Totals are off by one');
    create('s2', 'ÜBERLAUF in the totals', '/srv/Bank');
    create('zz9', 'nothing');
    expect(ids({ text: 'totals' })).toEqual(['s2', 's1']);
    expect(ids({ text: 'überlauf' })).toEqual(['s2']);
    expect(ids({ text: 'Über bank' })).toEqual(['s2']);
    expect(ids({ text: '  OFF   shop ' })).toEqual(['s1']);
    expect(ids({ text: 'ZZ9 sample' })).toEqual(['zz9']);
    expect(ids({ text: 'totals nothing' })).toEqual([]);
  });

  test('signs of LIKE stand for themselves', () => {
    create('s1', 'a 100% wrong_name \\ here');
    create('s2', 'a 100 wrongXname here');
    expect(ids({ text: '100%' })).toEqual(['s1']);
    expect(ids({ text: 'wrong_name' })).toEqual(['s1']);
    expect(ids({ text: '\\' })).toEqual(['s1']);
    expect(ids({ text: '%' })).toEqual(['s1']);
    expect(ids({ text: "'; --" })).toEqual([]);
  });

  test('states and repository filter; total counts all that match, counts are of all', () => {
    create('s1', 'one');
    create('s2', 'two', '/srv/bank');
    create('s3', 'three');
    store.append(sample('session.finished', { outcome: 'verified' }, { sessionId: 's1' }));
    store.append(sample('session.finished', { outcome: 'no_patch' }, { sessionId: 's2' }));
    expect(ids({ states: ['verified', 'no_patch'] })).toEqual(['s2', 's1']);
    expect(ids({ states: ['running'], repository: '/srv/bank' })).toEqual([]);
    expect(ids({ repository: '/srv/bank' })).toEqual(['s2']);
    const page = store.listSessions({ ...ALL, states: ['running', 'verified'], limit: 1 });
    expect(page).toMatchObject({
      rows: [{ sessionId: 's3' }],
      total: 2,
      counts: { verified: 1, no_patch: 1, running: 1 },
    });
    expect(store.recentRepositories(9)).toEqual([
      { path: '/home/ann/shop', usedAt: 4000 },
      { path: '/srv/bank', usedAt: 3000 },
    ]);
  });

  test('each order, and pages that begin with those that are pinned', () => {
    begin(store, 's1', 'a1');
    create('s2', 'b');
    create('s3', 'A');
    store.append(sample('step.finished', {}, { sessionId: 's1', attemptId: 'a1' }));
    expect(ids()).toEqual(['s3', 's2', 's1']);
    expect(ids({ sort: 'oldest' })).toEqual(['s1', 's2', 's3']);
    expect(ids({ sort: 'updated' })).toEqual(['s1', 's3', 's2']);
    expect(ids({ sort: 'title' })).toEqual(['s3', 's2', 's1']);
    expect(ids({ sort: 'steps' })).toEqual(['s1', 's3', 's2']);
    store.markSession('s1', { pinned: true });
    store.markSession('s2', { pinned: true });
    expect(ids()).toEqual(['s2', 's1', 's3']);
    expect([0, 1, 2, 3].map((offset) => ids({ offset, limit: 1 }))).toEqual([
      ['s2'],
      ['s1'],
      ['s3'],
      [],
    ]);
    expect(ids({ offset: 1, limit: 2 })).toEqual(['s1', 's3']);
    store.markSession('s2', { pinned: false });
    expect(ids()).toEqual(['s1', 's3', 's2']);
  });

  test('what is archived is in a list of its own and not counted', () => {
    create('s1', 'one');
    create('s2', 'two');
    store.markSession('s1', { archived: true, pinned: true });
    expect([ids(), ids({ archived: true })]).toEqual([['s2'], ['s1']]);
    expect(store.listSessions(ALL)).toMatchObject({ total: 1, counts: { running: 1 } });
    expect(store.listedSession('s1')).toMatchObject({ archived: true, pinned: true });
    expect(store.listedSession('s9')).toBeUndefined();
  });

  test('unseen is what ended after it was last seen; a session that goes on is not', () => {
    create('s1', 'one');
    const unseen = () => store.listedSession('s1')?.unseen;
    expect(unseen()).toBe(false);
    const end = () =>
      store.append(sample('session.finished', { outcome: 'cancelled' }, { sessionId: 's1' }));
    end();
    expect(unseen()).toBe(true);
    store.markSession('s1', { seenNumber: store.lastNumber() });
    store.markSession('s1', { pinned: true, seenNumber: 1 });
    expect(unseen()).toBe(false);
    store.append(sample('attempt.started', {}, { sessionId: 's1', attemptId: 'a1' }));
    expect(unseen()).toBe(false);
    end();
    expect(unseen()).toBe(true);
  });

  test('no order of a page sorts the whole list: an index gives it', () => {
    const database = new Database(file, { readonly: true });
    for (const sort of ['newest', 'oldest', 'updated', 'title', 'steps'] as const) {
      const { sql, values } = pageSql({ ...ALL, sort }, false);
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values, 200, 0);
      const steps = (plan as { detail: string }[]).map(({ detail }) => detail);
      expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
      expect(steps).toContainEqual(expect.stringMatching(/^SCAN sessions USING INDEX /));
      expect(steps).toContainEqual(expect.stringMatching(/^SEARCH marks USING PRIMARY KEY/));
    }
    database.close();
  });
});

describe('events of all sessions', () => {
  test('come after a number, at most so many, also those of another process', () => {
    begin(store, 's1', 'a1');
    begin(store, 's2', 'b1');
    const other = openStore(file);
    other.append(sample('note'));
    other.close();
    const numbers = (after: number, limit: number, sessionId?: string) => {
      const { events, last } = store.eventsAfter({ after, limit, sessionId });
      return [events.map(({ number }) => number), last];
    };
    expect(store.lastNumber()).toBe(5);
    expect(numbers(0, 2)).toEqual([[1, 2], 2]);
    expect(numbers(2, 9)).toEqual([[3, 4, 5], 5]);
    expect(numbers(1, 9, 's1')).toEqual([[2, 5], 5]);
    expect(numbers(5, 9)).toEqual([[], 5]);
    expect(store.events({ sessionId: 's1', after: 1, limit: 1 }).map((e) => e.number)).toEqual([2]);
  });

  test('a kind of a newer build is passed over without holding up what follows', () => {
    begin(store, 's1', 'a1');
    const other = new Database(file);
    other.exec(`INSERT INTO events (session_id, attempt_id, at, type, body)
                VALUES ('s1', NULL, 1, 'future.kind', '{}')`);
    other.close();
    expect(store.eventsAfter({ after: 2, limit: 1 })).toEqual({ events: [], last: 3 });
  });
});

describe('what people set or typed', () => {
  test('is kept by area and key, replaced and removed', () => {
    const { kept } = store;
    expect(kept.get('drafts', 'fix')).toBeUndefined();
    kept.set('drafts', 'fix', 'text \u202e');
    kept.set('drafts', 'fix', 'other \0 text');
    kept.set('settings', 'fix', { a: [1, null] });
    expect([kept.get('drafts', 'fix'), kept.get('settings', 'fix')]).toEqual([
      'other \0 text',
      { a: [1, null] },
    ]);
    kept.remove('drafts', 'fix');
    expect(kept.get('drafts', 'fix')).toBeUndefined();
    const database = new Database(file);
    database.exec("UPDATE kept SET value = '{'");
    database.close();
    expect(kept.get('settings', 'fix')).toBeUndefined();
  });
});

test('a database of version 2 keeps its sessions: found by words, seen, in order', () => {
  const golden = fileURLToPath(new URL('./golden/version-2.sqlite', import.meta.url));
  const copy = path.join(folder, 'golden.sqlite');
  copyFileSync(golden, copy);
  const opened = openStore(copy);
  expect(opened.listSessions({ ...ALL, text: 'TOTALS shop' })).toMatchObject({
    rows: [
      { sessionId: 's2', state: 'interrupted', steps: 1, unseen: false, pinned: false },
      { sessionId: 's1', state: 'patched', insertions: 3, unseen: false, archived: false },
    ],
    total: 2,
    counts: { interrupted: 1, patched: 1 },
  });
  expect(opened.serverSamples('nano', { since: 0, resolution: 600 })).toHaveLength(1);
  expect(opened.append(sample('note')).number).toBe(11);
  opened.close();
});
