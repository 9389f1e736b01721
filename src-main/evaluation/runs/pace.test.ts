import { describe, expect, test } from 'vitest';
import { admit } from './admission.ts';
import { createProgressBoard } from './progress.ts';
import { remainingWork } from './remaining-work.ts';
import { planOf, storedCell } from './testing.ts';
import { timeLeft } from './time-left.ts';

const GIB = 2 ** 30;
const MIB = 2 ** 20;

describe('time left', () => {
  const timings = { running: [], waiting: 10, later: 0, workers: 1 };

  test('is not known before five cells have finished', () => {
    expect(timeLeft({ ...timings, finished: [1, 1, 1, 1] })).toBeNull();
  });

  test('of cells that all take the same it is exact', () => {
    const finished = [10, 10, 10, 10, 10];
    expect(timeLeft({ ...timings, finished })).toEqual({ likely: 100, low: 100, high: 100 });
    // Two at a time, of which one has run for 4 of its 10 seconds.
    expect(timeLeft({ ...timings, finished, running: [4, 0], workers: 2 })).toEqual({
      ...{ likely: 58, low: 58, high: 58 },
    });
  });

  test('the range tells the spread, and that the mean is known from few', () => {
    const finished = [5, 10, 15, 5, 15];
    // Mean 10, variance 25; 10 cells: 1.282 * sqrt(25 * (10 + 100 / 5)) = 35.1.
    const left = timeLeft({ ...timings, finished });
    expect(left?.likely).toBe(100);
    expect(left?.low).toBeCloseTo(64.9, 1);
    expect(left?.high).toBeCloseTo(135.1, 1);
  });

  test('an entry that has not run yet may be twice as fast or as slow', () => {
    const finished = [10, 10, 10, 10, 10];
    expect(timeLeft({ ...timings, finished, waiting: 0, later: 20, workers: 2 })).toEqual({
      ...{ likely: 100, low: 50, high: 200 },
    });
  });

  test('a cell that runs longer than any before does not make it less than nothing', () => {
    const left = timeLeft({ ...timings, finished: [1, 1, 1, 1, 1], waiting: 0, running: [900] });
    expect(left).toEqual({ likely: 0, low: 0, high: 0 });
  });
});

describe('admission', () => {
  const ROOM = { memoryBytes: 8 * GIB, diskBytes: 100 * GIB };
  const DEMAND = { limitBytes: 4 * GIB, layerBytes: 0, peaks: [], running: [] };

  test('cells are taken for their limit until it is known what they need', () => {
    expect(admit(ROOM, DEMAND)).toEqual({ may: true });
    expect(admit(ROOM, { ...DEMAND, running: [3.9 * GIB] })).toEqual({ may: true });
    expect(admit(ROOM, { ...DEMAND, running: [100 * MIB] })).toEqual({
      may: false,
      why: 'a cell needs 4.0 GiB of memory, 4.1 GiB are free beside the model server',
    });
  });

  test('then for the highest peak with a margin, but never for more than the limit', () => {
    const peaks = Array.from({ length: 8 }, () => 200 * MIB);
    expect(admit(ROOM, { ...DEMAND, peaks, running: [0, 0, 0, 0] })).toEqual({ may: true });
    const tight = { ...ROOM, memoryBytes: 2 * GIB };
    expect(admit(tight, { ...DEMAND, peaks, running: [0, 0] })).toEqual({ may: true });
    expect(admit(tight, { ...DEMAND, peaks, running: [0, 0, 0, 0] })).toMatchObject({ may: false });
    const high = [...peaks, 6 * GIB];
    expect(admit(ROOM, { ...DEMAND, peaks: high, running: [4 * GIB] })).toEqual({ may: true });
  });

  test('one cell runs wherever a fix does, but none on a full disk', () => {
    expect(admit({ ...ROOM, memoryBytes: GIB }, DEMAND)).toEqual({ may: true });
    const full = { ...ROOM, diskBytes: GIB };
    const why = 'only 1.0 GiB of disk are free';
    expect(admit(full, DEMAND)).toEqual({ may: false, why });
  });

  test('container layers that may grow are counted', () => {
    const room = { ...ROOM, memoryBytes: 100 * GIB, diskBytes: 6 * GIB };
    const layers = { ...DEMAND, layerBytes: 2 * GIB };
    expect(admit(room, { ...layers, running: [0, 0] })).toMatchObject({ may: false });
    expect(admit(room, layers)).toEqual({ may: true });
  });
});

describe('progress', () => {
  const plan = planOf({ tasks: ['a'], entries: 2, seeds: [0, 1, 2, 3, 4, 5] });
  const known = [0, 1, 2, 3].map((seed) => storedCell({ seed, resolved: seed === 0 }));

  test('counts what was done before; time left is of cells of the running entry', () => {
    const board = createProgressBoard(plan, [
      ...known,
      storedCell({ seed: 0, entry: 1, state: 'infra' }),
    ]);
    const queue = { waiting: 1, later: 5 };
    expect(board.progress(0, queue)).toMatchObject({
      ...{ total: 12, finished: 5, resolved: 1, infra: 1, secondsLeft: null, last: null },
    });
    const [work] = remainingWork(plan, known);
    if (work === undefined) throw new Error('nothing is left');
    const view = board.begin(work, 1000);
    view.step = 3;
    expect(board.progress(2000, queue).running).toEqual([
      { task: 'a', entry: 'm0 x leaf', seed: 4, step: 3 },
    ]);
    board.end(view, storedCell({ seed: 4, resolved: true, peakMemoryBytes: 7 }), 11_000);
    const after = board.progress(11_000, { waiting: 1, later: 0 });
    expect(after).toMatchObject({ finished: 6, resolved: 2, running: [], last: { seed: 4 } });
    expect(after.secondsLeft).toEqual({ likely: 10, low: 10, high: 10 });
    expect(board.peaks).toEqual([7]);
  });

  test('a cell that was stopped is not finished', () => {
    const board = createProgressBoard(plan, []);
    const [work] = remainingWork(plan, []);
    if (work === undefined) throw new Error('nothing is left');
    board.end(board.begin(work, 0), storedCell({ state: 'stopped' }), 1000);
    board.hold('no room');
    expect(board.progress(0, { waiting: 1, later: 0 })).toMatchObject({
      ...{ finished: 0, last: null, held: 'no room' },
    });
  });
});
