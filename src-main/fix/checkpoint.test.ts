import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EventOf } from '../contract/index.ts';
import { openStore, type Store } from '../store/index.ts';
import type { Change } from '../patch/index.ts';
import { readCheckpoint, toRecorded } from './checkpoint.ts';

let store: Store;
let folder: string;
const sessionId = 's';
const attemptId = 's.1';

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'vivarium-checkpoint-'));
  store = openStore(path.join(folder, 'v.db'));
  const limits = { memoryBytes: 1, cpus: 1, pids: 1, diskBytes: 1, inodes: 1 };
  const model = {
    engine: 'scripted',
    name: 'm',
    spec: 'script:m',
    contextTokens: null,
    sha256: null,
  };
  store.append({
    sessionId,
    attemptId: null,
    body: {
      type: 'session.created',
      ...{ repository: '/r', title: 't', issue: 'i', limits, request: {} },
      model: { ...model, details: {} },
      scaffold: { name: 'leaf', hash: 'h', file: null },
    },
  });
  store.append({
    sessionId,
    attemptId,
    body: { type: 'attempt.started', number: 1, seed: 1, owner: 'o', resumedFromStep: null },
  });
  store.append({
    sessionId,
    attemptId,
    body: { type: 'attempt.opened', messages: [{ role: 'user', content: 'fix it' }], tools: [] },
  });
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

function step(number: number, prompt: number | null, ...given: Change[]): void {
  append(number, prompt, given);
}

function append(number: number, prompt: number | null, given: Change[], waitedMs?: number): void {
  const { changes, blobs } = toRecorded(given);
  const body: EventOf<'step.finished'> = {
    type: 'step.finished',
    step: number,
    messages: [{ role: 'assistant', content: `step ${number}` }],
    observations: [],
    finish: 'stop',
    usage: { promptTokens: prompt, completionTokens: 1, cachedTokens: null },
    timings: {
      ...{ modelMs: 1000, firstTokenMs: null, toolsMs: 500, ownMs: 10 },
      ...(waitedMs !== undefined && { waitedMs }),
    },
    changes,
    refused: [],
    memory: { workspaceBytes: null, modelBytes: null },
    retries: [],
    notes: [],
  };
  store.append({ sessionId, attemptId, body, blobs });
}

const file = (name: string, text: string, executable = false): Change => ({
  path: name,
  kind: 'file',
  executable,
  content: Buffer.from(text),
});

test('messages, counts and the last word on each path', () => {
  step(1, 100, file('a', 'one'), file('b', 'x'), file('c', 'y'));
  step(2, 150, file('a', 'two', true), { path: 'b', kind: 'deleted' });
  step(3, 200, { path: 'c', kind: 'symlink', content: Buffer.from('a') });
  const checkpoint = readCheckpoint(store, sessionId, attemptId);
  expect(checkpoint.messages.map((message) => message.content)).toEqual([
    'fix it',
    'step 1',
    'step 2',
    'step 3',
  ]);
  expect(checkpoint.changes).toEqual([
    file('a', 'two', true),
    { path: 'b', kind: 'deleted' },
    { path: 'c', kind: 'symlink', content: Buffer.from('a') },
  ]);
  expect(checkpoint).toMatchObject({
    steps: 3,
    elapsedMs: 4530,
    usage: { promptTokens: 450, completionTokens: 3, cachedTokens: null },
    seconds: { model: 3, tools: 1.5, total: 4.53 },
  });
});

test('waiting for a paused server counts, as time of its own', () => {
  append(1, null, [], 2_000);
  step(2, null);
  expect(readCheckpoint(store, sessionId, attemptId)).toMatchObject({
    elapsedMs: 5020,
    seconds: { model: 2, tools: 1, total: 5.02, waiting: 2 },
  });
});

test('a file that became a folder later is gone', () => {
  step(1, null, file('pkg', 'x'));
  step(2, null, file('pkg/a.py', 'y'));
  expect(readCheckpoint(store, sessionId, attemptId).changes).toEqual([
    { path: 'pkg', kind: 'deleted' },
    file('pkg/a.py', 'y'),
  ]);
});

test('an attempt without steps has its opening only', () => {
  expect(readCheckpoint(store, sessionId, attemptId)).toMatchObject({
    steps: 0,
    messages: [{ role: 'user', content: 'fix it' }],
    changes: [],
    elapsedMs: 0,
  });
});
