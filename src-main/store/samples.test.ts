import Database from 'better-sqlite3';
import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ServerSample } from '../contract/index.ts';
import { openStore } from './index.ts';
import { begin, sample } from './sample-events.ts';
import { look } from './sample-looks.ts';
import type { Store } from './types.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The beginning of a row in every resolution. */
const START = 600 * SECOND * 3_000_000;

let folder: string;
let file: string;
let store: Store;
let clock: number;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vivarium-samples-'));
  file = path.join(folder, 'record.sqlite');
  clock = START;
  store = openStore(file, { now: () => clock });
});

afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

function add(at: number, change: Partial<ServerSample> = {}, server = 'nano'): void {
  clock = Math.max(clock, at);
  store.addServerSample(server, look(at, change));
}

function rows(): { resolution: number; rows: number }[] {
  const database = new Database(file, { readonly: true });
  try {
    return database
      .prepare('SELECT resolution, count(*) AS rows FROM server_samples GROUP BY resolution')
      .all() as { resolution: number; rows: number }[];
  } finally {
    database.close();
  }
}

describe('a look', () => {
  test('comes back as it went in, with the server it was of', () => {
    const full = look(START + 1234, { alert: 'the GPU is lost' });
    const empty: ServerSample = {
      at: START + 2234,
      memoryBytes: null,
      gpuBytes: null,
      gpuUtilization: null,
      figures: null,
      promptPerSecond: null,
      generatedPerSecond: null,
      cacheHitShare: null,
      firstTokenMs: null,
      interval: null,
      alert: null,
    };
    clock = START + 3000;
    store.addServerSample('nano', full);
    store.addServerSample('nano', empty);
    store.addServerSample('mini', look(START + 2900));
    const looks = store.serverSamples('nano', { since: START, resolution: 1 });
    expect(looks).toEqual([full, empty]);
    expect(store.latestServerSample('nano')).toEqual(empty);
    expect(store.latestServerSample('mini')).toEqual(look(START + 2900));
    expect(store.latestServerSample('nan')).toBeNull();
    expect(store.serverSamples('nano', { since: START + 2000, resolution: 1 })).toEqual([empty]);
  });

  test('is the latest for 10 minutes, and never one of a clock that was ahead', () => {
    add(START);
    clock = START + 10 * MINUTE;
    expect(store.latestServerSample('nano')?.at).toBe(START);
    store.addServerSample('nano', look(clock + HOUR));
    expect(store.latestServerSample('nano')?.at).toBe(START);
    clock += 1;
    expect(store.latestServerSample('nano')).toBeNull();
  });
});

describe('coarser rows', () => {
  test('hold means of gauges, sums of counts, and the rates over the time covered', () => {
    const figures = look(0).figures;
    if (figures === null) throw new Error('no figures');
    // Three looks that cover 1 s, 3 s and 1 s: a mean of their rates would be wrong.
    const counts = [
      { ms: 1000, promptTokens: 500, generatedTokens: 40, firstTokenCount: 1 },
      { ms: 3000, promptTokens: 0, generatedTokens: 0, firstTokenCount: 0 },
      { ms: 1000, promptTokens: 100, generatedTokens: 60, firstTokenCount: 3 },
    ].map((count, index) => ({
      ...count,
      cacheQueriedTokens: [1000, 0, 200][index] ?? 0,
      cacheHitTokens: [500, 0, 190][index] ?? 0,
      firstTokenSeconds: [0.5, 0, 0.3][index] ?? 0,
    }));
    const memory = [100, 200, 600];
    const at = [START + SECOND, START + 4 * SECOND, START + 5 * SECOND];
    counts.forEach((interval, index) => {
      add(at[index] ?? 0, {
        memoryBytes: memory[index] ?? 0,
        gpuBytes: index === 1 ? null : 1000 * (index + 1),
        figures:
          index === 1 ? null : { ...figures, running: index, promptTokens: 5000 + 100 * index },
        interval,
        alert: index === 0 ? 'the GPU is lost' : null,
      });
    });
    const expected: ServerSample = {
      at: START,
      memoryBytes: 300,
      gpuBytes: 2000,
      gpuUtilization: 0.5,
      figures: { ...figures, running: 1, promptTokens: 5200 },
      promptPerSecond: 120,
      generatedPerSecond: 20,
      cacheHitShare: 690 / 1200,
      firstTokenMs: 200,
      interval: {
        ms: 5000,
        promptTokens: 600,
        generatedTokens: 100,
        cacheQueriedTokens: 1200,
        cacheHitTokens: 690,
        firstTokenSeconds: 0.8,
        firstTokenCount: 4,
      },
      alert: 'the GPU is lost',
    };
    for (const resolution of [10, 60, 600] as const)
      expect(store.serverSamples('nano', { since: START, resolution })).toEqual([expected]);
  });

  test('begin where their time begins, and are the same however the looks came in', () => {
    const moments = [0, 9.999, 10, 59, 60, 599, 600].map((second) => START + second * SECOND);
    const interval = look(0).interval;
    for (const [index, at] of moments.entries()) {
      const change = { memoryBytes: 2 ** index, interval };
      add(at, change);
    }
    for (const at of moments.toReversed()) add(at, { memoryBytes: 64 }, 'late');
    const kept = (resolution: 1 | 10 | 60 | 600, server = 'nano') =>
      store
        .serverSamples(server, { since: START, resolution })
        .map((each) => [(each.at - START) / SECOND, each.memoryBytes]);
    expect(kept(10)).toEqual([
      [0, 1.5],
      [10, 4],
      [50, 8],
      [60, 16],
      [590, 32],
      [600, 64],
    ]);
    expect(kept(60)).toEqual([
      [0, (1 + 2 + 4 + 8) / 4],
      [60, 16],
      [540, 32],
      [600, 64],
    ]);
    expect(kept(600)).toEqual([
      [0, 63 / 6],
      [600, 64],
    ]);
    expect(kept(600, 'late')).toEqual([
      [0, 64],
      [600, 64],
    ]);
  });

  test('a look that comes late does not turn counters back; an unknown is no zero', () => {
    const figures = look(0).figures;
    if (figures === null) throw new Error('no figures');
    add(START + 5 * SECOND, { figures: { ...figures, generatedTokens: 900, kvUsed: null } });
    add(START + SECOND, { figures: { ...figures, generatedTokens: 100, kvUsed: null } });
    const [row] = store.serverSamples('nano', { since: START, resolution: 10 });
    expect(row?.figures).toMatchObject({ generatedTokens: 900, kvUsed: null });
    add(START + 20 * SECOND, { memoryBytes: null, gpuBytes: 0 });
    expect(store.serverSamples('nano', { since: START + 20 * SECOND })[0]).toMatchObject({
      memoryBytes: null,
      gpuBytes: 0,
    });
  });

  test('a reader gets the finest that is kept for as long as it looks back', () => {
    add(START + 1);
    const step = (ago: number) => {
      clock = START + 1 + ago;
      return store.serverSamples('nano', { since: START + 1 })[0]?.at;
    };
    // Only a row by the second tells its moment; the others begin with the minute they are of.
    expect(step(10 * MINUTE)).toBe(START + 1);
    add(START + 25 * SECOND);
    clock = START;
    const first = (ago: number): number => {
      clock = START + 25 * SECOND + ago;
      return store.serverSamples('nano', { since: START + 25 * SECOND }).at(-1)?.at ?? 0;
    };
    expect((first(HOUR) - START) / SECOND).toBe(20);
    expect((first(DAY) - START) / SECOND).toBe(0);
    expect(store.serverSamples('nano', { since: START - 80 * DAY })).toHaveLength(1);
  });
});

describe('what is old', () => {
  test('goes, finest first; a few rows at a time, so that nobody waits', () => {
    // 20 minutes by the second, straight into the file: what a run left behind.
    for (let second = 0; second < 1200; second += 1) {
      clock = START;
      store.addServerSample('gone', look(START + second * SECOND));
    }
    expect(rows()).toEqual([
      { resolution: 1, rows: 1200 },
      { resolution: 10, rows: 120 },
      { resolution: 60, rows: 20 },
      { resolution: 600, rows: 2 },
    ]);
    clock = START + 30 * MINUTE;
    add(clock);
    expect(rows()[0]).toEqual({ resolution: 1, rows: 1200 + 1 - 20 });
    for (let count = 1; count < 60; count += 1) add(START + 30 * MINUTE + count);
    expect(rows()).toEqual([
      { resolution: 1, rows: 1 },
      { resolution: 10, rows: 121 },
      { resolution: 60, rows: 21 },
      { resolution: 600, rows: 3 },
    ]);
    clock = START + 8 * DAY;
    for (let count = 0; count < 10; count += 1) add(START + 8 * DAY);
    expect(rows()).toEqual([
      { resolution: 1, rows: 1 },
      { resolution: 10, rows: 1 },
      { resolution: 60, rows: 1 },
      { resolution: 600, rows: 4 },
    ]);
    clock = START + 99 * DAY;
    add(clock);
    expect(rows().at(-1)).toEqual({ resolution: 600, rows: 1 });
  });

  test('a row that has reached its age to the millisecond is still there', () => {
    add(START);
    add(START + 10 * MINUTE);
    expect(store.serverSamples('nano', { since: 0, resolution: 1 })).toHaveLength(2);
    add(START + 10 * MINUTE + 1);
    expect(store.serverSamples('nano', { since: 0, resolution: 1 })).toHaveLength(1);
  });
});

test('a database of version 1 keeps its record and takes samples', () => {
  const golden = fileURLToPath(new URL('./golden/version-1.sqlite', import.meta.url));
  const copy = path.join(folder, 'golden.sqlite');
  copyFileSync(golden, copy);
  const opened = openStore(copy, { now: () => START });
  expect(opened.events({ sessionId: 's1' }).map((event) => event.body.type)).toEqual([
    'session.created',
    'attempt.started',
    'step.finished',
    'patch.made',
    'attempt.finished',
    'session.finished',
  ]);
  expect(opened.session('s1')).toMatchObject({ state: 'patched', steps: 1, insertions: 3 });
  opened.addServerSample('nano', look(START));
  expect(opened.latestServerSample('nano')).toEqual(look(START));
  expect(opened.append(sample('note')).number).toBe(7);
  opened.close();
});

describe('several processes', () => {
  const child = fileURLToPath(new URL('./add-looks.ts', import.meta.url));

  function start(...args: string[]) {
    const running = spawn(process.execPath, [child, file, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    let errors = '';
    running.stderr.on('data', (data: Buffer) => (errors += data.toString()));
    running.stdout.on('data', (data: Buffer) => (said += data.toString()));
    const ended = new Promise<string>((resolve) => running.on('close', () => resolve(errors)));
    return { running, ended, said: () => said };
  }

  /** As a write that waits for a slow disk, for longer than a look waits. */
  async function lockedFor(ms: number): Promise<void> {
    const slow = new Database(file, { timeout: 30_000 });
    slow.exec('BEGIN IMMEDIATE');
    const begun = performance.now();
    expect(() => store.addServerSample('late', look(START))).toThrow(
      `another process keeps the session database locked: ${file}`,
    );
    // A look is seldom worth a wait of the whole process: see SAMPLE_TIMEOUT_MS.
    expect(performance.now() - begun).toBeGreaterThan(400);
    await new Promise((resolve) => setTimeout(resolve, ms));
    slow.exec('COMMIT');
    slow.close();
    expect(store.serverSamples('late', { since: START, resolution: 1 })).toEqual([]);
  }

  test('add at once, to the same rows and while others write the record; nothing is lost', async () => {
    const children = ['p1', 'p2'].map((name) => start(name, String(START), '400'));
    await lockedFor(1500);
    begin(store);
    for (let step = 1; step <= 50; step += 1) {
      store.append(sample('step.finished', { step }));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(await Promise.all(children.map(({ ended }) => ended))).toEqual(['', '']);
    clock = START + 400 * SECOND;
    const [all, ...more] = store.serverSamples('shared', { since: START, resolution: 600 });
    expect(more).toEqual([]);
    expect(all?.interval).toMatchObject({ ms: 800_000, generatedTokens: 8000 });
    for (const server of ['p1', 'p2']) {
      expect(store.serverSamples(server, { since: START, resolution: 1 })).toHaveLength(400);
      const [row] = store.serverSamples(server, { since: START, resolution: 600 });
      expect(row?.interval).toMatchObject({ ms: 400_000, generatedTokens: 4000 });
    }
    expect(store.events({ sessionId: 's1' })).toHaveLength(52);
  }, 60_000);

  test('one that is killed leaves every look whole in all resolutions, or not at all', async () => {
    for (let round = 0; round < 5; round += 1) {
      const name = `k${round}`;
      const { running, ended, said } = start(name, String(START));
      while (said().split('\n').length < 3 + round * 4)
        await new Promise((resolve) => setTimeout(resolve, 2));
      running.kill('SIGKILL');
      await ended;
      const acknowledged = said().split('\n').length - 1;
      clock = START + 9 * MINUTE;
      const by = (resolution: 1 | 10 | 60 | 600): number =>
        store
          .serverSamples(name, { since: START, resolution })
          .reduce((sum, each) => sum + (each.interval?.ms ?? 0), 0);
      expect(by(1)).toBeGreaterThanOrEqual(acknowledged * SECOND);
      expect([by(10), by(60), by(600)]).toEqual([by(1), by(1), by(1)]);
    }
    const database = new Database(file);
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    database.close();
  }, 60_000);
});
