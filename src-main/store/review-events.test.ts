import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sha256 } from '../lib/index.ts';
import { openStore } from './index.ts';
import { begin, sample } from './sample-events.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vivarium-reviews-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a review is kept in order and does not move its session in lists by time', () => {
  let clock = 1000;
  const store = openStore(path.join(folder, 'record.sqlite'), { now: () => clock });
  begin(store);
  store.append(sample('session.finished'));
  clock = 2000;
  const added = (['review.decided', 'review.noted', 'review.noteRemoved'] as const).map((type) =>
    store.append(sample(type)),
  );
  expect(store.session('s1').updatedAt).toBe(1000);
  expect(store.events({ sessionId: 's1', attemptId: 'a1' }).slice(-3)).toEqual(added);
  expect(() => store.append(sample('review.decided', {}, { sessionId: 'nobody' }))).toThrow(
    'an event of kind review.decided came for a row that is not on record',
  );
  store.close();
});

test('the contents a follow-up starts from are on record with it, or it is not', () => {
  const store = openStore(path.join(folder, 'record.sqlite'));
  const content = Buffer.from('start\n');
  const followUp = {
    sessionId: 's0',
    attemptId: 'a0',
    patch: 'p',
    changes: [
      { path: 'a', kind: 'file' as const, executable: false, blob: sha256(content) },
      { path: 'b', kind: 'deleted' as const },
    ],
  };
  const event = sample('session.created', { followUp });
  expect(() => store.append(event)).toThrow('that was not handed over');
  store.append({ ...event, blobs: [content] });
  const [stored] = store.events({ sessionId: 's1' });
  expect(stored?.body).toMatchObject({ followUp });
  expect(Buffer.from(store.blob(sha256(content))).toString()).toBe('start\n');
  store.close();
});
