import Database from 'better-sqlite3';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '../lib/index.ts';
import { openStore } from './index.ts';
import { pageSql } from './session-list.ts';
import { begin, sample } from './sample-events.ts';
import type { SessionListQuery, Store } from './types.ts';

let folder: string;
let file: string;
let store: Store;
let clock: number;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vivarium-runs-'));
  file = path.join(folder, 'record.sqlite');
  clock = 0;
  store = openStore(file, { now: () => (clock += 1000) });
});

afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const nobody = (): boolean => false;

function createRun(runId = 'r1'): void {
  store.append(sample('run.created', {}, { sessionId: runId }));
}

function createCell(sessionId: string, cell: { task?: string; seed?: number; run?: string } = {}) {
  const { task = 'totals', seed = 0, run = 'r1' } = cell;
  const ref = { runId: run, task, taskHash: 't1', entry: 0, seed };
  store.append(sample('session.created', { cell: ref }, { sessionId }));
}

/** One whole try of a cell up to its verdict. */
function attempt(sessionId: string, attemptId: string, number = 1): void {
  const ids = { sessionId, attemptId };
  store.append(sample('attempt.started', { number }, ids));
  store.append(sample('step.finished', {}, ids));
  store.append(sample('attempt.finished', {}, ids));
  store.append(sample('patch.made', {}, ids));
}

const grading = sample('grading.finished').body as Extract<
  ReturnType<typeof sample>['body'],
  { type: 'grading.finished' }
>;

const INFRA = {
  ...grading.result,
  state: 'infra',
  infra: { reason: 'container_unavailable', detail: 'gone' },
  resolved: false,
  reward: null,
} as const;

describe('cells of a run', () => {
  test('a cell tells all of its last try in one row', () => {
    createRun();
    createCell('s1');
    attempt('s1', 's1.1');
    store.append(sample('grading.finished', {}, { sessionId: 's1', attemptId: 's1.1' }));
    store.append(sample('session.finished', { attemptId: 's1.1' }));
    expect(store.cells('r1')).toEqual([
      {
        ...{ runId: 'r1', sessionId: 's1', attemptId: 's1.1', task: 'totals', entry: 0, seed: 0 },
        ...{ state: 'graded', tries: 1, resolved: true, reward: 1 },
        ...{ exitReason: 'agent', detail: null, steps: 1 },
        tokens: { prompt: 100, completion: 10, cached: 50 },
        seconds: { model: 1.5, tools: 0.5, total: 2, grading: 4 },
        ...{ peakMemoryBytes: 1000, energyJoules: null },
        patch: {
          ...{ bytes: 5, files: 1, insertions: 3, deletions: 2 },
          blob: sha256(Buffer.from('patch')),
        },
        grading: grading.result,
        ...{ premature: false, suspicions: [], label: null, startedAt: 2000, finishedAt: 8000 },
      },
    ]);
    expect(store.session('s1')).toMatchObject({ state: 'verified', verified: true });
    expect(store.cell('s1')).toEqual(store.cells('r1')[0]);
    expect(store.cell('r1')).toBeUndefined();
  });

  test('a further try begins with nothing of the one before, and late words of that change nothing', () => {
    createRun();
    createCell('s1');
    attempt('s1', 's1.1');
    const first = { sessionId: 's1', attemptId: 's1.1' };
    store.append(sample('grading.finished', { result: INFRA }, first));
    expect(store.cells('r1')).toMatchObject([{ state: 'infra', tries: 1, resolved: false }]);
    const second = { sessionId: 's1', attemptId: 's1.2' };
    store.append(sample('attempt.started', { number: 2 }, second));
    const begun = { state: 'running', tries: 2, steps: 0, grading: null, exitReason: null };
    const nothing = { patch: { bytes: 0, files: 0, blob: null }, finishedAt: null };
    expect(store.cells('r1')).toMatchObject([{ ...begun, ...nothing }]);
    store.append(sample('grading.finished', {}, first));
    store.append(sample('step.finished', { step: 9 }, first));
    expect(store.cells('r1')).toMatchObject([{ ...begun, ...nothing }]);
  });

  test('an attempt that goes on keeps its steps; graded again, the later verdict counts', () => {
    createRun();
    createCell('s1');
    const ids = { sessionId: 's1', attemptId: 's1.1' };
    attempt('s1', 's1.1');
    store.append(sample('attempt.started', { resumedFromStep: 1 }, ids));
    expect(store.cells('r1')).toMatchObject([{ steps: 1, tries: 1, state: 'running' }]);
    store.append(sample('attempt.finished', {}, ids));
    store.append(sample('grading.finished', {}, ids));
    const result = { ...grading.result, resolved: false, reward: 0 };
    store.append(sample('grading.finished', { result, again: true }, ids));
    expect(store.cells('r1')).toMatchObject([{ state: 'graded', resolved: false, reward: 0 }]);
  });

  test('stopped, ended without a verdict, analysed and labelled', () => {
    createRun();
    for (const [id, seed] of [
      ['s1', 0],
      ['s2', 1],
    ] as const) {
      createCell(id, { seed });
      const ids = { sessionId: id, attemptId: `${id}.1` };
      store.append(sample('attempt.started', {}, ids));
    }
    const ids = { sessionId: 's1', attemptId: 's1.1' };
    store.append(sample('attempt.finished', { exitReason: 'cancelled' }, ids));
    store.append(sample('session.finished', { outcome: 'cancelled', attemptId: null }));
    store.append(
      sample(
        'session.finished',
        { outcome: 'failed', attemptId: null, detail: 'no image' },
        { sessionId: 's2' },
      ),
    );
    const suspicions = [{ kind: 'history_searched' as const, step: 3, evidence: 'git log --all' }];
    store.append(sample('cell.analysed', { premature: true, suspicions, energyJoules: 7.5 }, ids));
    store.append(sample('cell.labelled'));
    expect(store.cells('r1')).toMatchObject([
      {
        ...{ state: 'stopped', exitReason: 'cancelled', premature: true, suspicions },
        ...{ energyJoules: 7.5, label: { label: 'flaky', note: 'see log' } },
      },
      { state: 'infra', exitReason: null, grading: null, detail: 'no image' },
    ]);
    store.append(sample('cell.labelled', { label: null, note: '' }));
    expect(store.cells('r1')[0]?.label).toBeNull();
  });

  test('two sessions cannot be the same cell', () => {
    createRun();
    createCell('s1');
    expect(() => createCell('s2')).toThrow(/UNIQUE/);
    expect(store.cells('r1')).toHaveLength(1);
  });
});

describe('runs', () => {
  test('counts of its cells, newest first, found by prefix', () => {
    createRun('run1');
    createRun('run2');
    createCell('s1', { run: 'run1' });
    createCell('s2', { run: 'run1', seed: 1 });
    createCell('s3', { run: 'run1', task: 'tax' });
    attempt('s1', 's1.1');
    store.append(sample('grading.finished', {}, { sessionId: 's1', attemptId: 's1.1' }));
    attempt('s2', 's2.1');
    const second = { sessionId: 's2', attemptId: 's2.1' };
    store.append(sample('grading.finished', { result: INFRA }, second));
    expect(store.run('run1')).toEqual({
      ...{ runId: 'run1', name: 'shop', state: 'running', createdAt: 1000, finishedAt: null },
      ...{ tasks: 2, entries: ['sample x leaf'], seeds: 2 },
      cells: { total: 4, graded: 1, resolved: 1, infra: 1, running: 1 },
    });
    expect(store.runs().map(({ runId }) => runId)).toEqual(['run2', 'run1']);
    expect(store.cells('run2')).toEqual([]);
    expect(store.run('run2').cells).toEqual({
      ...{ total: 4, graded: 0, resolved: 0, infra: 0, running: 0 },
    });
    for (const given of ['run', 'x', ''])
      expect(() => store.run(given)).toThrow(
        expect.objectContaining({ code: 'run_not_found' }) as Error,
      );
  });

  test('finished, resumed by another process, finished again', () => {
    createRun();
    const run = { sessionId: 'r1' };
    store.append(sample('run.finished', { outcome: 'stopped' }, run));
    expect(store.run('r1')).toMatchObject({ state: 'stopped', finishedAt: 2000 });
    store.append(sample('run.resumed', {}, run));
    expect(store.run('r1')).toMatchObject({ state: 'running', finishedAt: null });
    expect(store.markInterrupted((owner) => owner === 'you')).toBe(0);
    expect(store.run('r1').state).toBe('running');
    expect(() => store.append(sample('run.finished', {}, { sessionId: 'r9' }))).toThrow(/r9/);
  });

  test('of a dead owner the run, its attempts and its cells are interrupted, those graded are not', () => {
    createRun();
    createCell('s1');
    createCell('s2', { seed: 1 });
    createCell('s3', { task: 'tax' });
    attempt('s1', 's1.1');
    store.append(sample('grading.finished', {}, { sessionId: 's1', attemptId: 's1.1' }));
    // Between attempt and grading.
    attempt('s2', 's2.1');
    store.append(sample('attempt.started', {}, { sessionId: 's3', attemptId: 's3.1' }));
    expect(store.markInterrupted(nobody)).toBe(1);
    expect(store.run('r1')).toMatchObject({ state: 'interrupted', finishedAt: 18_000 });
    expect(store.cells('r1').map(({ task, seed, state }) => [task, seed, state])).toEqual([
      ['tax', 0, 'interrupted'],
      ['totals', 0, 'graded'],
      ['totals', 1, 'interrupted'],
    ]);
    expect(store.markInterrupted(nobody)).toBe(0);
  });
});

describe('lists of sessions', () => {
  const ALL: SessionListQuery = {
    ...{ text: '', states: [], repository: null, archived: false },
    ...{ sort: 'newest', offset: 0, limit: 200 },
  };

  test('leave cells out unless they are asked for', () => {
    begin(store, 's1', 'a1');
    createRun();
    createCell('c1');
    createCell('c2', { seed: 1 });
    const ids = (list: readonly { sessionId: string }[]) => list.map(({ sessionId }) => sessionId);
    expect(ids(store.sessions())).toEqual(['s1']);
    expect(ids(store.sessions({ run: 'r1' }))).toEqual(['c2', 'c1']);
    expect(store.listSessions(ALL)).toMatchObject({
      ...{ rows: [{ sessionId: 's1' }], total: 1, counts: { running: 1 } },
    });
    expect(store.listSessions({ ...ALL, run: 'r1' })).toMatchObject({
      ...{ rows: [{ sessionId: 'c2' }, { sessionId: 'c1' }], total: 2 },
    });
    expect(store.session('c1').sessionId).toBe('c1');
    expect(store.recentRepositories(9)).toHaveLength(1);
  });

  test('page by an index without cells in every order', () => {
    const database = new Database(file, { readonly: true });
    for (const sort of ['newest', 'oldest', 'updated', 'title', 'steps'] as const) {
      const { sql, values } = pageSql({ ...ALL, sort }, false);
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values, 200, 0);
      const steps = (plan as { detail: string }[]).map(({ detail }) => detail);
      const index = { newest: 'newest', oldest: 'newest' }[sort as string] ?? `by_${sort}`;
      expect(steps).toContainEqual(
        expect.stringMatching(new RegExp(`^SCAN sessions USING INDEX sessions_${index}$`)),
      );
    }
    database.close();
  });
});

test('a database of version 3 keeps its sessions and takes runs', () => {
  const copy = path.join(folder, 'golden.sqlite');
  copyFileSync(path.join(import.meta.dirname, 'golden/version-3.sqlite'), copy);
  const opened = openStore(copy);
  expect(opened.sessions()).toMatchObject([
    { sessionId: 's2', state: 'interrupted', steps: 1 },
    { sessionId: 's1', state: 'patched', insertions: 3 },
  ]);
  expect(opened.listedSession('s1')).toMatchObject({ pinned: true, unseen: true });
  expect(opened.kept.get('drafts', 'fix')).toEqual({ issue: 'x' });
  expect(opened.runs()).toEqual([]);
  opened.append(sample('run.created', {}, { sessionId: 'r1' }));
  expect(opened.run('r1').state).toBe('running');
  opened.close();
});
