import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Activity, StepRecord } from '../agent/index.ts';
import type { EventOf, ServerFigures, ServerSample } from '../contract/index.ts';
import { openStore, type Store } from '../store/index.ts';
import type { Workspace } from '../workspaces/index.ts';
import { createCacheWatch } from './cache-watch.ts';
import { MemoryWatch } from './memory-watch.ts';
import { createRecorder } from './recorder.ts';
import { serverGlimpses, type WatchedServer } from './server-glimpse.ts';

let folder: string;
let store: Store;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vivarium-cache-'));
  store = openStore(path.join(folder, 'record.sqlite'));
  store.append({
    sessionId: 's1',
    attemptId: null,
    body: {
      type: 'session.created',
      ...{ repository: '/r', title: 't', issue: 'i', request: {} },
      model: { engine: 'e', name: 'n', spec: 's', contextTokens: null, sha256: null, details: {} },
      scaffold: { name: 'leaf', hash: 'h', file: null },
      limits: { memoryBytes: 1, cpus: 1, pids: 1, diskBytes: 1, inodes: 1 },
    },
  });
});

afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

function record(step: number, cachedTokens: number | null, notes: string[] = []): StepRecord {
  return {
    step,
    messages: [{ role: 'assistant', content: 'I look.' }],
    calls: [],
    observations: [],
    finish: 'calls',
    usage: { promptTokens: step * 1000, completionTokens: 200, cachedTokens },
    timings: { modelMs: 1, firstTokenMs: 1, toolsMs: 1, ownMs: 1 },
    retries: [],
    notes,
  };
}

/** Runs steps of an attempt through the recorder, as `fix` does; returns what people were shown. */
async function attempt(
  attemptId: string,
  cached: readonly (number | null)[],
  server: WatchedServer | null = null,
): Promise<string[]> {
  const shown: string[] = [];
  const started = { number: 1, seed: 1, owner: 'me', resumedFromStep: null };
  store.append({ sessionId: 's1', attemptId, body: { type: 'attempt.started', ...started } });
  // Nothing of these steps touches the workspace.
  const workspace = {} as Workspace;
  const recorder = createRecorder({
    store,
    sessionId: 's1',
    attemptId,
    workspace,
    memory: new MemoryWatch(workspace, { pid: null }, () => {}),
    cache: createCacheWatch({ store, sessionId: 's1', glimpse: serverGlimpses(store, server) }),
    onActivity: (activity: Activity) => {
      if (activity.kind === 'note') shown.push(`${activity.step}: ${activity.text}`);
    },
    alreadyOpened: true,
  });
  for (const [index, count] of cached.entries()) await recorder.step(record(index + 1, count));
  return shown;
}

function notes(): EventOf<'note'>[] {
  return store
    .events({ sessionId: 's1' })
    .map((event) => event.body)
    .filter((body) => body.type === 'note');
}

describe('a session', () => {
  test('is warned once for each cause, after the step, in the record and on screen', async () => {
    const shown = await attempt('a1', [0, 1200, 2200, 0, 4100, 0, 6100, 1000]);
    expect(shown.map((line) => line.slice(0, 48))).toEqual([
      '4: the prompt was computed anew: the server drop',
      '8: the prompt was computed anew: the history is ',
    ]);
    expect(notes().map(({ level, text }) => `${level} ${text}`)).toEqual(
      shown.map((line) => `warning ${line.slice(3)}`),
    );
    const kinds = store.events({ sessionId: 's1', attemptId: 'a1' }).map(({ body }) => body.type);
    expect(kinds.slice(0, 6)).toEqual([
      'attempt.started',
      ...Array.from({ length: 4 }, () => 'step.finished'),
      'note',
    ]);
    // Another attempt of the session, or this one gone on with.
    expect(await attempt('a2', [0, 1200, 0])).toEqual([]);
    expect(notes()).toHaveLength(2);
  });

  test('hears nothing where all is reused or the server does not say, however long it is', async () => {
    const steps = Array.from({ length: 40 }, (_, index) => index);
    expect(
      await attempt(
        'a1',
        steps.map((step) => step * 1000),
      ),
    ).toEqual([]);
    expect(
      await attempt(
        'a2',
        steps.map(() => null),
      ),
    ).toEqual([]);
    expect(notes()).toEqual([]);
  });

  test('that never reuses anything is warned at the fourth step, and not again', async () => {
    const shown = await attempt(
      'a1',
      Array.from({ length: 30 }, () => 0),
    );
    expect(shown.map((line) => line.slice(0, 60))).toEqual([
      '4: the prompt is computed anew in each step: prefix caching ',
    ]);
  });
});

describe('what the looks at the server say', () => {
  const figures: ServerFigures = {
    running: 1,
    waiting: 0,
    kvUsed: 0.2,
    promptTokens: 1,
    generatedTokens: 500,
    cacheQueriedTokens: null,
    cacheHitTokens: null,
    firstTokenSecondsSum: null,
    firstTokenCount: null,
  };
  const look = (at: number, change: Partial<ServerFigures> | null): ServerSample => ({
    at,
    memoryBytes: null,
    gpuBytes: null,
    gpuUtilization: null,
    figures: change === null ? null : { ...figures, ...change },
    promptPerSecond: null,
    generatedPerSecond: null,
    cacheHitShare: null,
    firstTokenMs: null,
    interval: null,
    alert: null,
  });
  const now = Math.floor(Date.now() / 1000) * 1000;
  const add = (secondsAgo: number, change: Partial<ServerFigures> | null): void =>
    store.addServerSample('nano', look(now - secondsAgo * 1000, change));
  const glimpse = () => serverGlimpses(store, { name: 'nano', sequences: 2 })(now - 10_000);

  test('most requests and the fullest cache since then; not what was before', () => {
    add(60, { running: 9, kvUsed: 1 });
    add(4, { running: 2, waiting: 1, kvUsed: 0.5 });
    add(3, null);
    add(2, { running: 1, kvUsed: 0.7, generatedTokens: 600 });
    expect(glimpse()).toEqual({ restarted: false, requests: 3, sequences: 2, kvUsed: 0.7 });
  });

  test('a counter that went back is a restart; unknown figures stay unknown', () => {
    add(4, { running: null, kvUsed: null });
    add(2, { running: null, kvUsed: null, generatedTokens: 3 });
    expect(glimpse()).toEqual({ restarted: true, requests: null, sequences: 2, kvUsed: null });
    expect(serverGlimpses(store, null)(now)).toBeNull();
  });

  test('become the cause that a session is told', async () => {
    const at = Date.now();
    store.addServerSample('nano', look(at, { kvUsed: 0.99 }));
    const [text] = await attempt('a1', [0, 1200, 0], { name: 'nano', sequences: 4 });
    expect(text).toContain('the cache of the server is too small (99 % of it was in use)');
  });
});
