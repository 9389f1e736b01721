import { describe, expect, it, test } from 'vitest';
import { cell, runs } from '../statistics/testing.ts';
import { formatReport } from './format-report.ts';
import { jsonReportSchema } from './json-report.ts';
import { duration, joules, percent, points, range, tokens } from './numbers.ts';
import { reportData } from './report-data.ts';
import { comparisonSentence, reachSentence, warnings } from './sentences.ts';
import { generatedRun, graded, runOf } from './sample-run.ts';
import { reasonOf, shortened } from './words.ts';

const run = generatedRun({ tasks: 40, labels: ['m x leaf', 'm x r2egym'] });
const text = (format: 'html' | 'md' | 'json' | 'csv', of = run) =>
  Buffer.from(formatReport(of, { format })).toString();

describe('formats', () => {
  it('JSON is of its schema, names every cell that was asked for, and no folder of this machine', () => {
    const report = jsonReportSchema.parse(JSON.parse(text('json')));
    expect([report.version, report.cells.length]).toEqual([1, 40 * 3 * 2]);
    expect(report.entries[0]?.statistics.pass1.value).toBeCloseTo(
      reportData(run).entries[0]?.statistics.pass1.value ?? 0,
      12,
    );
    expect(text('json')).not.toMatch(/\/home|host:1/);
    expect(text('html')).not.toMatch(/\/home|host:1/);
    const infra = report.cells.find(({ state }) => state === 'infra');
    expect([infra?.resolved, infra?.infra]).toEqual([null, 'out_of_memory']);
  });

  it('the curve over time counts seconds where no solved run took two minutes', () => {
    const page = (seconds: number) => {
      const times = { model: 0, tools: 0, total: seconds, grading: 0 };
      const cells = [cell({ task: 'a', resolved: true, seconds: times })];
      return text('html', runOf(cells, { seeds: [0] }));
    };
    expect(page(0.3)).toMatch(/Solved within seconds/);
    const heads = page(0.3).split('Solved within seconds').at(-1) ?? '';
    expect(
      [...heads.matchAll(/<th scope="row">([^<]*)<\/th>/g)].slice(0, 4).map((one) => one[1]),
    ).toEqual(['0.05', '0.1', '0.15', '0.2']);
    expect(page(119.9)).toMatch(/Solved within seconds/);
    expect(page(120)).toMatch(/Solved within minutes/);
  });

  it('JSON of a run in which nothing has a verdict has no figure that is none', () => {
    const none = runOf(runs('a', 'ir'), { seeds: [0, 1, 2] });
    const report = jsonReportSchema.parse(JSON.parse(text('json', none)));
    expect(report.entries[0]?.pass1).toEqual({
      value: null,
      low: null,
      high: null,
      by: 'bootstrap',
    });
    expect(report.cells.map(({ state }) => state)).toEqual(['infra', 'running', 'not_begun']);
  });

  it('CSV has a line for each cell', () => {
    expect(text('csv').split('\r\n').length).toBe(40 * 3 * 2 + 2);
  });

  it.each(['html', 'md'] as const)('%s says what is asked of a report', (format) => {
    const page = text(format).replaceAll('\\', '');
    for (const word of ['pass@1', 'pass@3', 'pass^3', '95 % interval', 'Standard error', 'Flips']) {
      expect(page).toContain(word);
    }
    expect(page).toMatch(/not measured/);
    expect(page).toMatch(/temperature 0\.6/);
    expect(page).toMatch(/arXiv 2411\.00640/);
    expect(page).toMatch(/the kernel ended the tests for memory/);
    expect(page).not.toMatch(/NaN|undefined|Infinity/);
  });

  it.each(['html', 'md', 'csv', 'json'] as const)('%s of nothing at all can be read', (format) => {
    for (const none of [runOf([]), runOf(runs('a', 'i')), runOf([], { labels: [] })]) {
      expect(text(format, none)).not.toMatch(/NaN|undefined|Infinity/);
    }
  });

  it('infra is never folded into the score', () => {
    const mixed = runOf([...runs('a', '+'), ...runs('b', 'i', { outcome: 'infra' })]);
    const [entry] = reportData(mixed).entries;
    expect([entry?.pass1.value, entry?.statistics.tasks, entry?.statistics.tasksWithout]).toEqual([
      1, 2, 1,
    ]);
    expect(warnings(reportData(mixed)).at(-1)).toBe(
      'm x leaf: 1 of 2 cells have no verdict (1 infra) and count neither as solved nor as failed. Whatever they would have come to, 50.0 to 100.0 % of all cells are solved.',
    );
  });
});

describe('sentences', () => {
  const compared = (a: string, b: string, tasks: number) => {
    const names = Array.from({ length: tasks }, (_, n) => `t${n}`);
    const cells = names.flatMap((task) => [...runs(task, a), ...runs(task, b, { entry: 1 })]);
    const [found] = reportData(runOf(cells, { labels: ['A', 'B'] })).comparisons;
    return found === undefined ? '' : comparisonSentence(found);
  };

  it('say who is better only where chance is unlikely', () => {
    expect(compared('-', '+', 12)).toBe(
      'B solves 100.0 points more than A; chance alone would give so much in fewer than 1 of 1000 cases.',
    );
    expect(compared('--', '-+', 6)).toMatch(/^B solves 50\.0 points more than A/);
    expect(compared('-', '+', 5)).toBe(
      'B against A: the difference of 100.0 points is over 5 tasks, and so few can show none: even if all of them differ the same way, it may be chance. At least 6 that differ are needed.',
    );
    const some = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].flatMap((task) => [
      ...runs(task, '-'),
      ...runs(task, task < 'd' ? '+' : '-', { entry: 1 }),
    ]);
    const [one] = reportData(runOf(some, { labels: ['A', 'B'] })).comparisons;
    expect(one && comparisonSentence(one)).toBe(
      'B against A: the difference of 37.5 points is too small to be told from chance with 8 tasks (so many can be expected to show 51.3 points). About 15 tasks that differ as these do would be needed for it.',
    );
    expect(compared('+', '+', 3)).toMatch(
      /^B against A: no difference was seen over 3 tasks\. That does not show/,
    );
  });

  it('say what so many tasks can show', () => {
    const reachOf = (names: string[]) => {
      const { reach } = reportData(runOf(names.flatMap((task) => runs(task, '+-'))));
      return reach === null ? '' : reachSentence(reach);
    };
    expect(reachOf(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])).toMatch(
      /^8 tasks with 2 seeds a side can be expected to show a difference of 35\.7 points\. With so many seeds, .* This takes 26\.0 % of tasks to flip/,
    );
    expect(reachOf(['a', 'b'])).toMatch(/^2 tasks with 2 seeds a side can show no difference/);
  });
});

test('the reason of a cell: tests first, shortened; else what the grader said', () => {
  const verdict = graded(false);
  const long = { name: `tests/${'x'.repeat(400)}::last`, status: 'ERROR' as const };
  const many = { expected: 5, met: 0, unmet: Array.from({ length: 5 }, () => long) };
  const found = reasonOf(cell({ task: 'a', grading: { ...verdict, failToPass: many } }));
  expect(found.text).toBe('0 of 5 to fix, 120 of 120 to keep');
  expect([found.unmet.length, found.more]).toEqual([3, 2]);
  expect(found.unmet[0]).toMatch(/^tests\/x+…x+::last ERROR$/);
  expect(Array.from(shortened(long.name)).length).toBe(90);
  const lost = { ...verdict, failToPass: null, passToPass: null, summary: 'no  reward\nleft' };
  expect(reasonOf(cell({ task: 'a', grading: lost })).text).toBe('no reward left');
  const empty = { ...verdict, summary: 'nothing was changed' };
  expect(reasonOf(cell({ task: 'a', outcome: 'empty', grading: empty }))).toEqual({
    text: 'nothing was changed',
    unmet: [],
    more: 0,
  });
});

test('figures as people read them', () => {
  expect([percent(0.6149), percent(Number.NaN), percent(null)]).toEqual(['61.5 %', '–', '–']);
  expect([points(0.0421), points(-0.1), points(0)]).toEqual(['+4.2', '−10.0', '0.0']);
  expect(range({ low: -0.019, high: 0.048 })).toBe('−1.9 to 4.8');
  expect([tokens(950), tokens(1_500), tokens(389_000), tokens(1_230_000)]).toEqual([
    '950',
    '1.5 k',
    '389 k',
    '1.23 M',
  ]);
  expect(duration(0.25)).toBe('250 ms');
  expect([duration(4.2), duration(59.7), duration(3599.6), duration(7500)]).toEqual([
    ...['4.2 s', '1 min 0 s', '1 h 0 min', '2 h 5 min'],
  ]);
});

test('a hostile length stays a page', () => {
  const name = 'é'.repeat(1_000_000);
  const unmet = [{ name, status: 'FAILED' as const }];
  const grading = { ...graded(false), summary: name, failToPass: { expected: 1, met: 0, unmet } };
  const long = runOf([
    cell({ task: name, grading, outcome: 'never_fixed', label: { label: name, note: name } }),
  ]);
  expect(text('html', long).length).toBeLessThan(60_000);
  expect(text('md', long).length).toBeLessThan(60_000);
});

test('energy: joules, thousands of them, and kWh', () => {
  expect([0, 15.4, 999.4, 1000, 2449, 36_000].map(joules)).toEqual([
    '0 J',
    '15 J',
    '999 J',
    '1.0 kJ',
    '2.4 kJ',
    '0.010 kWh',
  ]);
});
