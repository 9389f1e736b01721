import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoredEvent } from '../contract/index.ts';
import { openStore } from './index.ts';
import { begin, sample } from './sample-events.ts';
import type { Store } from './types.ts';

let folder: string;
let store: Store;
let clock: number;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vivarium-store-'));
  clock = 0;
  store = openStore(path.join(folder, 'record.sqlite'), { now: () => (clock += 1000) });
});

afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const nobody = (): boolean => false;

describe('markInterrupted', () => {
  test('P11: an attempt of a dead owner ends as interrupted, with the sums of its steps', () => {
    begin(store);
    const memory = { workspaceBytes: 4000, modelBytes: null };
    const usage = { promptTokens: 300, completionTokens: null, cachedTokens: null };
    store.append(sample('step.finished'));
    store.append(sample('step.finished', { step: 2, memory, usage }));
    const heard: StoredEvent[] = [];
    store.subscribe((event) => void heard.push(event));

    expect(store.markInterrupted(nobody)).toBe(1);
    const last = store.events({ sessionId: 's1' }).at(-1);
    expect(last).toEqual({
      number: 5,
      sessionId: 's1',
      attemptId: 'a1',
      at: 5000,
      body: {
        type: 'attempt.finished',
        exitReason: 'interrupted',
        detail: 'the process that ran it ended without a word',
        steps: 2,
        finalMessage: null,
        usage: { promptTokens: 400, completionTokens: 10, cachedTokens: 50 },
        seconds: { model: 3, tools: 1, total: 2 },
        peakMemoryBytes: 4000,
      },
    });
    expect(heard).toEqual([last]);
    expect(store.session('s1')).toMatchObject({ state: 'interrupted', steps: 2 });
    expect(store.markInterrupted(nobody)).toBe(0);
    expect(store.events({ sessionId: 's1' })).toHaveLength(5);
  });

  test('an attempt of a living owner goes on; a finished one is left alone', () => {
    begin(store);
    begin(store, 's2', 'b1');
    store.append(sample('attempt.finished', {}, { sessionId: 's2', attemptId: 'b1' }));
    store.append(sample('session.finished', { attemptId: 'b1' }, { sessionId: 's2' }));
    expect(store.markInterrupted((owner) => owner === 'me')).toBe(0);
    expect(store.session('s1').state).toBe('running');
    expect(store.markInterrupted(nobody)).toBe(1);
    expect(store.session('s2').state).toBe('verified');
  });

  test('a session whose process died before, between or after its attempts is not left running', () => {
    store.append(sample('session.created'));
    begin(store, 's2', 'b1');
    store.append(sample('attempt.finished', {}, { sessionId: 's2', attemptId: 'b1' }));
    store.append(sample('patch.made', {}, { sessionId: 's2', attemptId: 'b1' }));
    expect(store.markInterrupted((owner) => owner === 'me')).toBe(0);
    expect(store.markInterrupted(nobody)).toBe(0);
    expect(store.session('s1').state).toBe('interrupted');
    expect(store.session('s2')).toMatchObject({ state: 'interrupted', insertions: 3 });
    expect(store.events({ sessionId: 's2' }).at(-1)?.body).toEqual({
      type: 'session.interrupted',
      detail: 'the process that ran it ended without a word',
    });
  });

  test('an attempt that is taken up again runs on with its steps, and can be interrupted again', () => {
    begin(store);
    store.append(sample('step.finished'));
    store.markInterrupted(nobody);
    clock += 3_600_000;
    store.append(sample('attempt.started', { owner: 'you', resumedFromStep: 1 }));
    expect(store.session('s1')).toMatchObject({ state: 'running', attempts: 1, steps: 1 });
    expect(store.attempts('s1')).toMatchObject([{ owner: 'you', exitReason: null, steps: 1 }]);
    store.append(sample('step.finished', { step: 2 }));
    expect(store.markInterrupted((owner) => owner === 'you')).toBe(0);
    expect(store.markInterrupted((owner) => owner === 'me')).toBe(1);
    const body = store.events({ sessionId: 's1' }).at(-1)?.body;
    // Not the hour between: 1 s to the first step, 1 s to the mark, 1 s to the second step.
    expect(body).toMatchObject({ steps: 2, seconds: { model: 3, tools: 1, total: 3 } });
  });
});
