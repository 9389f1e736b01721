import { expect, test } from 'vitest';
import {
  calibratedTasks,
  type CalibratedTask,
  type KindAtFrontier,
} from '../../../synthesis/index.ts';
import { renderCalibration } from './calibration.ts';

const settings = {
  ...{ first: 4, most: 8, band: { low: 0.1, high: 0.9 }, worth: 0.05 },
  ...{ unsolvedShare: 0.1, classShare: 0.6 },
};

function report(scores: Record<string, [number, number]>, kinds: KindAtFrontier[] = []) {
  const probed = Object.entries(scores).map(([name, [solved, probes]]) => ({
    ...{ name, hash: name, bugClass: null, solved, probes },
  }));
  const tasks: CalibratedTask[] = calibratedTasks(probed, settings);
  return {
    ...{ model: 'frog', modelName: 'frog', scaffoldName: 'leaf', scaffoldHash: 'h', settings },
    ...{ tasks, at: 0, refused: [], runs: [], file: '/set/calibration.json', out: null },
    frontier: { classes: kinds, methods: [], rounds: [] },
  };
}

test('the table, the frontier with what is least certain first, and what the next probe buys', () => {
  const text = renderCalibration(report({ hard: [0, 4], half: [2, 4], easy: [5, 5] }), 100);
  expect(text.split('\n').map((line) => line.trimEnd())).toEqual([
    'TASK  SOLVED  PASS RATE            KEPT  WHY',
    'hard  0/4     0.00 (0.00 to 0.44)  no    never solved',
    'half  2/4     0.50 (0.12 to 0.88)  yes   in the band',
    'easy  5/5     1.00 (0.62 to 1.00)  no    too easy',
    '',
    'FRONTIER  0                                      1  IN BAND  NEXT PROBE BUYS',
    'hard      ●───|─────────────                  |     34 %     0.060',
    'easy          |                   ────────────|──●  29 %     0.042',
    'half          |───────────────●───────────────|     97 %     0.000',
    '',
    '1 of 3 tasks kept; 13 probes (all were on record)',
    'one more probe would be worth it for 1 (--max-probes is 8)',
    'kept in /set/calibration.json',
    '',
  ]);
});

test('a task without a verdict has no rate, and a long chart ends', () => {
  const many = Object.fromEntries(
    Array.from({ length: 26 }, (_, at): [string, [number, number]] => [`t${at}`, [2, 4]]),
  );
  const text = renderCalibration(report({ none: [0, 0], ...many }), null);
  expect(text).toContain('none  0/0     -                    no    too few verdicts\n');
  expect(text).toContain('... and 3 more that are more certain\n');
});

test('classes with something at the frontier are told', () => {
  const kinds = [
    { kind: 'logic', tasks: 4, atFrontier: 3, inBand: 0.8 },
    { kind: 'copy', tasks: 2, atFrontier: 0, inBand: 0.2 },
  ];
  const text = renderCalibration(report({ half: [2, 4] }, kinds), null);
  expect(text).toContain('\nat the frontier: logic 3 of 4\n');
});
