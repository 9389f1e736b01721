import { describe, expect, it } from 'vitest';
import type { CellRow } from '../../../src-main/contract/index.ts';
import {
  cellOf,
  countsBy,
  hasMark,
  isAsked,
  linesAsked,
  stateOfCell,
  stepToOpen,
  taskLines,
  withRows,
} from './cells.ts';
import { formatP, formatPercent, formatPoints, placeOn, solvedShare } from './figures.ts';
import { positionAfterKey } from './matrix-keys.ts';
import { costTicks, stairs } from './result/curve-path.ts';

type Change = Partial<{ state: CellRow[4]; outcome: CellRow[5]; ending: CellRow[6] }> & {
  premature?: boolean;
  suspect?: number;
};

function row(task: number, entry: number, seed: number, change: Change = {}): CellRow {
  const { state = 'graded', outcome = 'never_fixed', ending = 'final_answer' } = change;
  return [
    ...([`s-${task}-${entry}-${seed}`, task, entry, seed, state, outcome, ending, 12, 1] as const),
    ...([change.premature ?? false, change.suspect ?? null, null] as const),
  ];
}

const ENTRY = { entry: { label: 'm x leaf' } } as never;
const RUN = { tasks: ['totals', 'tax'], seeds: [0, 7], entries: [ENTRY, ENTRY] };
const ROWS = [
  row(0, 0, 0, { outcome: 'resolved' }),
  row(0, 0, 7),
  row(0, 1, 7, { state: 'infra', outcome: 'infra', ending: 'infra' }),
  row(1, 0, 0, { ending: 'steps', suspect: 3 }),
  row(1, 0, 7, { state: 'running', outcome: null, ending: null }),
];
const LINES = taskLines(RUN, ROWS.map(cellOf));

describe('cells of a run', () => {
  it('stand by task, entry and seed; those that have not begun are empty', () => {
    expect(LINES.map(({ name, cells }) => [name, cells.map((cell) => cell?.session)])).toEqual([
      ['totals', ['s-0-0-0', 's-0-0-7', undefined, 's-0-1-7']],
      ['tax', ['s-1-0-0', 's-1-0-7', undefined, undefined]],
    ]);
  });

  it('say what became of them', () => {
    expect(LINES.flatMap(({ cells }) => cells.map(stateOfCell))).toEqual([
      ...['resolved', 'never_fixed', 'waiting', 'infra'],
      ...['never_fixed', 'running', 'waiting', 'waiting'],
    ]);
    expect(stateOfCell({ state: 'stopped', outcome: null })).toBe('halted');
  });

  it('are asked for by entry, outcome, ending, mark and the name of their task', () => {
    const names = (asked: object) => linesAsked(LINES, asked).map(({ name }) => name);
    expect(names({})).toEqual(['totals', 'tax']);
    expect(names({ outcome: 'resolved' })).toEqual(['totals']);
    expect(names({ outcome: 'waiting' })).toEqual(['totals', 'tax']);
    expect(names({ entry: 1 })).toEqual(['totals']);
    expect(names({ ending: 'steps' })).toEqual(['tax']);
    expect(names({ ending: 'none' })).toEqual(['tax']);
    expect(names({ mark: 'suspect' })).toEqual(['tax']);
    expect(names({ mark: 'flips' })).toEqual(['totals']);
    expect(names({ text: 'TOT al' })).toEqual(['totals']);
    expect(names({ text: 'tot', outcome: 'running' })).toEqual([]);
    const [line] = LINES;
    if (line === undefined) throw new Error('no line');
    expect(line.cells.map((cell) => isAsked(cell, line, { outcome: 'infra' }))).toEqual([
      ...[false, false, false, true],
    ]);
  });

  it('are counted for each choice, with the other filters as they are', () => {
    expect([...countsBy(LINES, { ending: 'final_answer' }, 'outcome')]).toEqual([
      ['resolved', 1],
      ['never_fixed', 1],
    ]);
    expect(countsBy(LINES, { outcome: 'never_fixed' }, 'ending').get('steps')).toBe(1);
  });

  it('change in their places, and new ones come at the end', () => {
    const ended = row(1, 0, 7, { outcome: 'resolved' });
    const fresh = row(1, 1, 0);
    expect(withRows(ROWS, [fresh, ended])).toEqual([...ROWS.slice(0, 4), ended, fresh]);
  });

  it('open at the step to doubt, else at the last one', () => {
    expect(ROWS.map(cellOf).map(stepToOpen)).toEqual([12, 12, 12, 3, 12]);
    const cell = cellOf(row(0, 0, 0, { premature: true }));
    const [line] = LINES;
    expect(line !== undefined && hasMark(cell, line, 'premature')).toBe(true);
  });
});

describe('keys of the matrix', () => {
  const size = { rows: 10, columns: 4, page: 5 };
  const at = { row: 2, column: 1 };
  it.each([
    ['ArrowDown', false, { row: 3, column: 1 }],
    ['k', false, { row: 1, column: 1 }],
    ['ArrowLeft', false, { row: 2, column: 0 }],
    ['End', false, { row: 2, column: 3 }],
    ['End', true, { row: 9, column: 3 }],
    ['Home', true, { row: 0, column: 0 }],
    ['PageDown', false, { row: 6, column: 1 }],
    ['PageUp', false, { row: 0, column: 1 }],
    ['x', false, null],
  ])('%s (with Ctrl: %s)', (key, ctrl, expected) => {
    expect(positionAfterKey({ key, ctrl }, at, size)).toEqual(expected);
  });

  it('leads nowhere in an empty table, and not over its ends', () => {
    const pressed = { key: 'ArrowRight', ctrl: false };
    expect(positionAfterKey(pressed, at, { ...size, rows: 0 })).toBeNull();
    expect(positionAfterKey(pressed, { row: 2, column: 3 }, size)).toEqual({ row: 2, column: 3 });
  });
});

describe('figures', () => {
  const summary = { seeds: 1, cells: { graded: 10, resolved: 7 } } as never;
  it('a share of solved attempts has its interval over tasks', () => {
    const share = solvedShare(summary);
    // Wilson's interval of 7 of 10, by hand.
    expect(share?.value).toBe(0.7);
    expect(share?.low).toBeCloseTo(0.396_78, 4);
    expect(share?.high).toBeCloseTo(0.892_21, 4);
    const none = { seeds: 3, cells: { graded: 0, resolved: 0 } } as never;
    expect(solvedShare(none)).toBeNull();
    const all = solvedShare({ seeds: 1, cells: { graded: 4, resolved: 4 } } as never);
    expect(all?.high).toBe(1);
  });

  it.each([
    [formatPoints(0.123), '+12.3'],
    [formatPoints(-0.05), '\u22125.0'],
    [formatPoints(0.0001), '0.0'],
    [formatPoints(null), '?'],
    [formatPercent(0.4567), '45.7 %'],
    [formatPercent(null), '?'],
    [formatP(0.000_2), '<0.001'],
    [formatP(0.0312), '0.031'],
  ])('%s is written as %s', (written, expected) => {
    expect(written).toBe(expected);
  });

  it('places on an axis, curves and their ticks', () => {
    expect(placeOn([-1, 1], 0)).toBe(50);
    expect(placeOn([0, 1], 1.4)).toBe(100);
    expect(costTicks(37)).toEqual([0, 10, 20, 30, 40]);
    expect(costTicks(0)).toEqual([0, 1]);
    expect(costTicks(980_000)).toEqual([0, 250_000, 500_000, 750_000, 1_000_000]);
    const points = [
      { cost: 5, solved: 0.25 },
      { cost: 10, solved: 0.5 },
    ];
    expect(stairs(points, 20, 0.5)).toBe('M0 100H25V50H50V0H100');
  });
});
