import { describe, expect, it, test } from 'vitest';
import { cell, runs } from '../statistics/testing.ts';
import { wilson } from '../statistics/index.ts';
import { reportData } from './report-data.ts';
import { generatedRun, graded, runOf } from './sample-run.ts';

describe('an entry of a report', () => {
  const infra = {
    ...graded(false),
    state: 'infra' as const,
    infra: { reason: 'no_reward' as const, detail: '' },
  };
  const run = runOf(
    [
      ...runs('a', '++', { outcome: 'resolved', ending: 'final_answer' }),
      cell({ task: 'b', seed: 0, outcome: 'never_fixed', ending: 'steps', premature: true }),
      cell({
        task: 'b',
        seed: 1,
        state: 'infra',
        outcome: 'infra',
        ending: 'infra',
        grading: infra,
        tries: 3,
      }),
      cell({
        ...{ task: 'c', seed: 0, resolved: true, outcome: 'resolved', ending: 'final_answer' },
        tokens: { prompt: null, completion: null, cached: null },
        suspicions: [
          { kind: 'history_searched', step: 1, evidence: 'x' },
          { kind: 'history_searched', step: 2, evidence: 'y' },
        ],
      }),
    ],
    { seeds: [0, 1] },
  );
  const data = reportData(run);
  const [found] = data.entries;

  it('says what was asked for, what never began, and between which shares the truth may lie', () => {
    expect([found?.planned, found?.notBegun, found?.retried]).toEqual([6, 1, 1]);
    expect(found?.bounds).toEqual({ low: 3 / 6, high: 5 / 6 });
    expect(found?.infra).toEqual([{ reason: 'no_reward', cells: 1 }]);
    expect(found?.pass1.value).toBeCloseTo(2 / 3, 12);
    expect(found?.pass1.by).toBe('bootstrap');
  });

  it('counts outcomes by endings, suspicions by cells, early answers of cells with a verdict', () => {
    expect(found?.matrix).toEqual([
      { outcome: 'resolved', ending: 'final_answer', cells: 3 },
      { outcome: 'never_fixed', ending: 'steps', cells: 1 },
      { outcome: 'infra', ending: 'infra', cells: 1 },
    ]);
    expect(found?.suspicions).toEqual([{ kind: 'history_searched', cells: 1, solved: 1 }]);
    expect(found?.premature).toEqual({ cells: 1, solved: 0 });
    expect([found?.curves.steps.length, found?.curves.tokens.length, found?.uncounted]).toEqual([
      3, 2, 1,
    ]);
  });

  it('has a row for each task, with a gap for a cell that never began', () => {
    expect(
      data.tasks.map(({ task, cells: [own] }) => [task, own?.map((one) => one?.state ?? null)]),
    ).toEqual([
      ['a', ['graded', 'graded']],
      ['b', ['graded', 'infra']],
      ['c', ['graded', null]],
    ]);
  });

  it('where all tasks agree the interval is not of no width', () => {
    const [all] = reportData(runOf(['a', 'b', 'c'].flatMap((task) => runs(task, '--')))).entries;
    expect(all?.pass1).toEqual({ ...wilson(0, 3), by: 'wilson' });
    const [none] = reportData(runOf(runs('a', 'i'))).entries;
    expect(none?.pass1.value).toBeNaN();
  });
});

test('labels by how often', () => {
  const label = (text: string) => ({ label: { label: text, note: '' } });
  const cells = ['x', 'y', 'y'].flatMap((text, n) => runs(`t${n}`, '+', label(text)));
  expect(reportData(runOf(cells)).labels).toEqual([
    { label: 'y', cells: 2 },
    { label: 'x', cells: 1 },
  ]);
});

describe('what so many tasks can show', () => {
  it('is of the reference where too few tasks were run to measure it', () => {
    const { reach } = reportData(runOf(runs('a', '+-')));
    expect(reach).toMatchObject({ tasks: 1, seeds: 2, flips: 0.26, flipsMeasured: false });
    expect(reportData(runOf([])).reach).toBeNull();
  });

  it('is of the flips that were measured', () => {
    const names = Array.from({ length: 40 }, (_, n) => `t${n}`);
    const { reach } = reportData(
      runOf(names.flatMap((task, n) => runs(task, n % 4 ? '++' : '+-'))),
    );
    expect([reach?.flips, reach?.flipsMeasured]).toEqual([0.25, true]);
    // (z of 0.975 + z of 0.8) x sqrt(flips / seeds) / sqrt(tasks)
    expect(reach?.smallest).toBeCloseTo((2.801585 * Math.sqrt(0.25 / 2)) / Math.sqrt(40), 6);
    expect(reach?.needed.map(({ tasks }) => tasks)).toEqual([99, 393, 2453]);
  });
});

describe('comparisons', () => {
  const cells = ['a', 'b', 'c'].flatMap((task) => [
    ...runs(task, '--'),
    ...runs(task, '++', { entry: 1 }),
  ]);
  const one = runOf(cells, { labels: ['m x leaf', 'm x r2egym'] });

  it('are of each pair within a run', () => {
    const [only, ...more] = reportData(one).comparisons;
    expect([only?.a, only?.b, more]).toEqual(['m x leaf', 'm x r2egym', []]);
    expect(only?.result).toMatchObject({ tasks: 3, leftOut: 0, better: ['a', 'b', 'c'] });
  });

  it('with another run are of the same label, on tasks of the same content', () => {
    const tasks = [
      ...['a', 'b'].map((name) => ({ name, hash: `hash of ${name}` })),
      { name: 'c', hash: 'other' },
      { name: 'd', hash: 'd' },
    ];
    const settings = { ...one.created.settings, maxSteps: 40 };
    const other = runOf(
      runs('a', '++').concat(runs('b', '+-'), runs('c', '++')),
      { tasks, settings },
      'run-2',
    );
    const data = reportData(runOf(cells), other);
    const [found] = data.comparisons;
    expect([found?.a, found?.b]).toEqual(['m x leaf (demo, run-2)', 'm x leaf (demo, run-1)']);
    expect(found?.result).toMatchObject({ tasks: 2, leftOut: 2, worse: ['a', 'b'] });
    expect(found?.changedTasks).toBe(1);
    expect(data.other?.differences).toEqual(['steps at most: 40 before, 150 now']);
  });

  it('of many are corrected for being many', () => {
    const data = reportData(generatedRun({ tasks: 40, labels: ['a x l', 'b x l', 'c x l'] }));
    const ps = data.comparisons.map(({ result }) => result.p).sort((x, y) => x - y);
    const adjusted = data.comparisons.map(({ adjustedP }) => adjustedP).sort((x, y) => x - y);
    expect(adjusted[0]).toBeCloseTo(Math.min(1, (ps[0] ?? 0) * 3), 12);
    expect(adjusted.every((p, at) => p >= (ps[at] ?? 0) && p <= 1)).toBe(true);
  });
});
