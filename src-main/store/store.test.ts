import Database from 'better-sqlite3';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoredEvent } from '../contract/index.ts';
import { sha256 } from '../lib/index.ts';
import { openStore } from './index.ts';
import { begin, sample } from './sample-events.ts';
import type { Store } from './types.ts';

let folder: string;
let file: string;
let store: Store;
let clock: number;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vivarium-store-'));
  file = path.join(folder, 'home', 'record.sqlite');
  clock = 1000;
  store = openStore(file, { now: () => (clock += 1000) });
});

afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the record', () => {
  test('events come back in order, with numbers without gaps, by session, attempt and number', () => {
    begin(store);
    begin(store, 's2', 'b1');
    store.append(sample('step.finished'));
    expect(store.events({ sessionId: 's1' }).map((event) => event.number)).toEqual([1, 2, 5]);
    expect(store.events({ sessionId: 's1', after: 2 }).map((event) => event.number)).toEqual([5]);
    expect(store.events({ sessionId: 's1', attemptId: 'a1' }).map((e) => e.body.type)).toEqual([
      'attempt.started',
      'step.finished',
    ]);
    expect(store.events({ sessionId: 's1', attemptId: 'b1' })).toEqual([]);
    expect(store.events({ sessionId: 's1' })[2]).toEqual({
      number: 5,
      sessionId: 's1',
      attemptId: 'a1',
      at: 6000,
      body: sample('step.finished').body,
    });
  });

  test('one kind can be left out, of a session and of an attempt', () => {
    begin(store);
    store.append(sample('step.finished'));
    store.append(sample('note'));
    const without = 'step.finished';
    const numbers = (filter: { attemptId?: string; limit?: number }) =>
      store.events({ sessionId: 's1', ...filter, without }).map(({ number }) => number);
    expect(numbers({})).toEqual([1, 2, 4]);
    expect(numbers({ limit: 3 })).toEqual([1, 2, 4]);
    expect(numbers({ attemptId: 'a1' })).toEqual([2, 4]);
  });

  test('it survives closing and opening', () => {
    begin(store);
    store.close();
    store = openStore(file);
    expect(store.events({ sessionId: 's1' })).toHaveLength(2);
    expect(store.append(sample('note')).number).toBe(3);
  });

  test('text of every kind comes back as it went in', () => {
    begin(store);
    const content = 'NUL \0, lone \ud800 surrogate, \u202e bidi, \u2028, \x1b[31m, "quotes" \\';
    store.append(sample('step.finished', { messages: [{ role: 'assistant', content }] }));
    expect(store.events({ sessionId: 's1', after: 2 })[0]?.body).toMatchObject({
      messages: [{ role: 'assistant', content }],
    });
  });

  test('neither an event nor a content can be changed, an event not removed', () => {
    begin(store);
    store.append(sample('patch.made'));
    const other = new Database(file);
    for (const sql of [
      "UPDATE events SET type = 'note'",
      'DELETE FROM events',
      "UPDATE blobs SET encoding = 'raw'",
    ]) {
      expect(() => other.exec(sql)).toThrow('the record is append-only');
    }
    other.close();
  });

  test('a kind of a newer build is skipped; a known kind that cannot be read is said', () => {
    begin(store);
    const other = new Database(file);
    const insert = other.prepare(
      "INSERT INTO events (session_id, attempt_id, at, type, body) VALUES ('s1', 'a1', 1, ?, ?)",
    );
    insert.run('future.kind', '{"type":"future.kind","x":1}');
    expect(store.events({ sessionId: 's1' })).toHaveLength(2);
    insert.run('note', '{"type":"note"}');
    other.close();
    expect(() => store.events({ sessionId: 's1' })).toThrow('event 4 of session s1 cannot be read');
  });

  test('an event that is malformed, names missing content or a missing row leaves nothing behind', () => {
    begin(store);
    const refused = (event: Parameters<Store['append']>[0]) => () => store.append(event);
    expect(refused(sample('step.finished', { step: Number.NaN }))).toThrow(
      'an event of kind step.finished is malformed at step',
    );
    expect(refused({ ...sample('patch.made'), blobs: [Buffer.from('other')] })).toThrow(
      'was not handed over',
    );
    expect(refused(sample('step.finished', {}, { attemptId: 'a9' }))).toThrow('not on record');
    expect(refused(sample('note', {}, { sessionId: 's9' }))).toThrow('not on record');
    expect(refused(sample('session.created'))).toThrow(/UNIQUE constraint failed/);
    expect(store.append(sample('note')).number).toBe(3);
    expect(() => store.blob(sha256(Buffer.from('other')))).toThrow(
      'is not in the session database',
    );
  });
});

describe('contents', () => {
  test('come back byte for byte, each stored once, text compressed and noise not', () => {
    begin(store);
    const text = Buffer.from('a line of source code\n'.repeat(5000));
    const noise = randomBytes(100_000);
    const empty = new Uint8Array(0);
    const small = Buffer.from([0, 255, 10, 13]);
    const blobs = [text, noise, empty, small, text];
    store.append({ ...sample('note'), blobs });
    store.append({ ...sample('note'), blobs });
    for (const blob of blobs) expect(Buffer.from(store.blob(sha256(blob))).equals(blob)).toBe(true);
    const other = new Database(file, { readonly: true });
    const rows = other
      .prepare('SELECT encoding, size, length(content) AS kept FROM blobs ORDER BY size')
      .all();
    other.close();
    expect(rows).toEqual([
      { encoding: 'raw', size: 0, kept: 0 },
      { encoding: 'raw', size: 4, kept: 4 },
      { encoding: 'raw', size: 100_000, kept: 100_000 },
      { encoding: 'deflate', size: 110_000, kept: expect.any(Number) },
    ]);
    expect((rows[3] as { kept: number }).kept).toBeLessThan(2000);
  });

  test('large ones are kept ahead of their event, beside the thread; the small ones are handed back', async () => {
    begin(store);
    const text = Buffer.from('a line of source code\n'.repeat(200_000));
    const noise = randomBytes(200_000);
    const small = Buffer.from('small');
    const left = await store.keep([text, small, noise, text]);
    expect(left).toEqual([small]);
    const changes = [text, noise, small].map((content, n) => ({
      ...{ kind: 'file' as const, path: `${n}`, executable: false, blob: sha256(content) },
    }));
    store.append({ ...sample('step.finished', { changes }), blobs: left });
    for (const blob of [text, noise, small])
      expect(Buffer.from(store.blob(sha256(blob))).equals(blob)).toBe(true);
  });

  test('a damaged content is told, not handed out', () => {
    begin(store);
    const sound = Buffer.from('sound');
    store.append({ ...sample('note'), blobs: [sound] });
    const other = new Database(file);
    other.exec("DROP TRIGGER blobs_no_update; UPDATE blobs SET content = x'00'");
    other.close();
    expect(() => store.blob(sha256(sound))).toThrow('is damaged');
  });
});

describe('the rows', () => {
  test('follow the events of a session to its end', () => {
    begin(store);
    store.append(sample('step.finished'));
    store.append(sample('step.finished', { step: 2 }));
    store.append(sample('attempt.finished', { exitReason: 'max_turns', steps: 2 }));
    store.append(sample('patch.made'));
    store.append(sample('verification.finished'));
    expect(store.session('s1')).toEqual({
      sessionId: 's1',
      title: 'Totals are off by one',
      repository: '/home/ann/shop',
      model: 'sample',
      scaffold: 'leaf',
      state: 'running',
      createdAt: 2000,
      updatedAt: 8000,
      attempts: 1,
      steps: 2,
      files: 1,
      insertions: 3,
      deletions: 2,
      verified: true,
    });
    store.append(sample('session.finished'));
    expect(store.session('s1')).toMatchObject({ state: 'verified', updatedAt: 9000 });
    expect(store.attempts('s1')).toEqual([
      {
        attemptId: 'a1',
        sessionId: 's1',
        number: 1,
        seed: 7,
        owner: 'me',
        exitReason: 'max_turns',
        steps: 2,
      },
    ]);
  });

  test('the session ends with the totals of the attempt that is its result, or with none', () => {
    begin(store);
    store.append(sample('patch.made'));
    store.append(sample('verification.finished'));
    store.append(sample('attempt.started', { number: 2 }, { attemptId: 'a2' }));
    store.append(sample('patch.made', { insertions: 50 }, { attemptId: 'a2' }));
    expect(store.session('s1')).toMatchObject({ insertions: 50, attempts: 2 });
    store.append(sample('session.finished', { attemptId: 'a1' }));
    expect(store.session('s1')).toMatchObject({ insertions: 3, verified: true });
    store.append(sample('session.finished', { attemptId: null, outcome: 'no_patch' }));
    expect(store.session('s1')).toMatchObject({
      state: 'no_patch',
      files: 0,
      insertions: 0,
      deletions: 0,
      verified: null,
    });
  });

  test('are listed newest first, in pages', () => {
    for (const id of ['s1', 's2', 's3'])
      store.append(sample('session.created', {}, { sessionId: id }));
    store.append(sample('note', {}, { sessionId: 's1' }));
    const ids = (options?: { limit?: number; offset?: number }) =>
      store.sessions(options).map((session) => session.sessionId);
    expect(ids()).toEqual(['s3', 's2', 's1']);
    expect(ids({ limit: 1, offset: 1 })).toEqual(['s2']);
    expect(ids({ offset: 3 })).toEqual([]);
  });

  test('a session is found by id and by unambiguous prefix; patterns are no patterns', () => {
    for (const id of ['ab', 'abc', 'b%d'])
      store.append(sample('session.created', {}, { sessionId: id }));
    expect(store.session('ab').sessionId).toBe('ab');
    expect(store.session('abc').sessionId).toBe('abc');
    expect(store.session('b%').sessionId).toBe('b%d');
    expect(() => store.session('a')).toThrow('several sessions begin with "a"');
    for (const missing of ['', '%', 'a_c', 'AB', 'abcd']) {
      expect(() => store.session(missing)).toThrow(`there is no session "${missing}"`);
    }
  });
});

describe('subscribe', () => {
  test('delivers in order, each once, also what a listener appends, until it is ended', () => {
    const heard: string[] = [];
    const hear = (name: string) => (event: StoredEvent) =>
      void heard.push(`${name}${event.number}`);
    const end = store.subscribe((event) => {
      if (event.number === 1) store.append(sample('note'));
    });
    const endOther = store.subscribe(hear('x'));
    store.append(sample('session.created'));
    expect(heard).toEqual(['x1', 'x2']);
    end();
    endOther();
    store.append(sample('note'));
    expect(heard).toEqual(['x1', 'x2']);
  });

  test('a listener that throws undoes nothing and silences nobody', () => {
    const heard: number[] = [];
    store.subscribe(() => {
      throw new Error('listener fault');
    });
    store.subscribe((event) => void heard.push(event.number));
    expect(store.append(sample('session.created')).number).toBe(1);
    expect(heard).toEqual([1]);
  });

  test('a failed append is not heard', () => {
    const heard: StoredEvent[] = [];
    store.subscribe((event) => void heard.push(event));
    expect(() => store.append(sample('note'))).toThrow('not on record');
    expect(heard).toEqual([]);
  });
});

test('an append costs the same after 10,000 events as at the start', () => {
  // In memory where there is such a folder: the disk's fsync would drown what is measured here.
  const shared = existsSync('/dev/shm') ? mkdtempSync('/dev/shm/vivarium-store-') : folder;
  const record = openStore(path.join(shared, 'long.sqlite'));
  begin(record);
  const message = 'x'.repeat(1000);
  const times: number[] = [];
  for (let step = 1; step <= 10_000; step += 1) {
    const content = `${step} ${message}`;
    const event = {
      ...sample('step.finished', { step, messages: [{ role: 'assistant', content }] }),
      blobs: [Buffer.from(content)],
    };
    const start = performance.now();
    record.append(event);
    times.push(performance.now() - start);
  }
  expect(record.session('s1').steps).toBe(10_000);
  record.close();
  rmSync(shared, { recursive: true, force: true });
  const median = (values: number[]): number => values.toSorted((a, b) => a - b)[250] ?? Number.NaN;
  const ratio = median(times.slice(-500)) / median(times.slice(0, 500));
  expect(ratio).toBeLessThan(3);
}, 180_000);
