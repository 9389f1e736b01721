import { describe, expect, it } from 'vitest';
import { compareEntries } from './comparison.ts';
import { COSTS, costCurve } from './curves.ts';
import { entryStatistics, spreadOf } from './entry.ts';
import { cell, runs } from './testing.ts';

describe('an entry', () => {
  const found = entryStatistics([
    ...runs('a', '+++'),
    ...runs('b', '+-i'),
    ...runs('c', '---'),
    ...runs('d', 'iii'),
    ...runs('e', '+r'),
  ]);

  it('counts infra and unfinished runs aside, and tasks without a verdict in no figure', () => {
    expect(found.runs).toEqual({ valid: 9, solved: 5, infra: 4, unfinished: 1 });
    expect([found.tasks, found.tasksWithout, found.seeds]).toEqual([5, 1, { least: 1, most: 3 }]);
  });

  it('pass@1 is the mean over tasks, not over runs', () => {
    expect(found.pass1.value).toBeCloseTo((1 + 0.5 + 0 + 1) / 4, 12);
    expect(found.pass1.low).toBeLessThan(found.pass1.value);
    expect(found.perRun.value).toBeCloseTo(5 / 9, 12);
  });

  it('pass@k and pass^k say from how many tasks they are', () => {
    expect(found.passAt).toEqual([
      { k: 1, value: 0.625, tasks: 4 },
      { k: 2, value: (1 + 1 + 0) / 3, tasks: 3 },
      { k: 3, value: 0.5, tasks: 2 },
    ]);
    expect(found.passHat).toEqual([
      { k: 1, value: 0.625, tasks: 4 },
      { k: 2, value: (1 + 0 + 0) / 3, tasks: 3 },
      { k: 3, value: 0.5, tasks: 2 },
    ]);
  });

  it('flips: of a, b and c, only the two runs of b differ', () => {
    expect(found.flips).toBeCloseTo(1 / 3, 12);
    expect(entryStatistics(runs('a', '+')).flips).toBeNull();
  });

  it('costs are those of runs with a verdict; what no server said is missing, not zero', () => {
    expect(found.steps).toEqual({ p50: 10, p90: 10, sum: 90, n: 9 });
    expect(found.tokens.cachedShare).toBeCloseTo(0.6, 12);
    expect(found.energyJoules).toEqual({ p50: Number.NaN, p90: Number.NaN, sum: 0, n: 0 });
    const unknown = runs('a', '+', { tokens: { prompt: null, completion: null, cached: null } });
    expect(entryStatistics(unknown).tokens.cachedShare).toBeNull();
    expect(spreadOf([3, null, 1, 2])).toEqual({ p50: 2, p90: 2.8, sum: 6, n: 3 });
  });

  it('nothing at all is no number', () => {
    const none = entryStatistics([]);
    expect([none.tasks, none.pass1.value, none.passAt]).toEqual([0, Number.NaN, []]);
  });
});

describe('two entries', () => {
  it('are compared on the tasks both have, with their flips', () => {
    const a = [...runs('a', '+++'), ...runs('b', '---'), ...runs('c', '+--'), ...runs('x', '+')];
    const b = [...runs('a', '+++'), ...runs('b', '+++'), ...runs('c', '--'), ...runs('y', 'i')];
    const found = compareEntries(a, b);
    expect(found).toMatchObject({ tasks: 3, leftOut: 2, better: ['b'], worse: ['c'], same: 1 });
    expect(found.difference.value).toBeCloseTo((1 - 1 / 3) / 3, 12);
    // Of the four ways to toss two coins, all but none give a sum at least as large.
    expect(found.p).toBe(1);
    expect(found.smallest).toBeGreaterThan(found.difference.value);
    expect(found.needed).toBeGreaterThan(3);
  });

  it('twelve tasks that all got better are no chance', () => {
    const names = Array.from({ length: 12 }, (_, n) => `t${n}`);
    const found = compareEntries(
      names.flatMap((task) => runs(task, '-')),
      names.flatMap((task) => runs(task, '+')),
    );
    expect(found.p).toBe(2 / 2 ** 12);
    expect([found.difference.value, found.needed]).toEqual([1, null]);
  });

  it('with any number of runs a task the exact test stays small', () => {
    const names = Array.from({ length: 60 }, (_, n) => `t${n}`);
    const found = compareEntries(
      names.flatMap((task, n) => runs(task, '+'.repeat(7 + (n % 25)) + '-'.repeat(n % 3))),
      names.flatMap((task, n) => runs(task, '-'.repeat(9 + (n % 23)) + '+')),
    );
    expect([found.worse.length, found.p]).toEqual([60, 2 / 2 ** 60]);
  });

  it('without a common task there is nothing to say', () => {
    const found = compareEntries(runs('a', '+'), runs('b', '+'));
    expect(found).toMatchObject({ tasks: 0, leftOut: 2, p: 1, smallest: null, needed: null });
  });
});

it('a cost curve rises by one run of all valid ones', () => {
  const cells = [
    cell({ task: 'a', resolved: true, steps: 9 }),
    cell({ task: 'b', resolved: true, steps: 4 }),
    cell({ task: 'c', resolved: false, steps: 1 }),
    ...runs('d', 'i'),
  ];
  expect(costCurve(cells, COSTS.steps)).toEqual([
    { cost: 4, solved: 1 / 3 },
    { cost: 9, solved: 2 / 3 },
  ]);
  expect(costCurve(cells, COSTS.tokens)[0]?.cost).toBe(1_100);
  expect(costCurve(cells, COSTS.minutes)[0]?.cost).toBe(1);
});
