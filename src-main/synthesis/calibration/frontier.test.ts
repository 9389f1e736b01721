import { expect, test } from 'vitest';
import { calibratedTasks } from './calibrated-tasks.ts';
import { classesOfRound, frontierOf, kindsAtFrontier } from './frontier.ts';

const settings = {
  ...{ first: 4, most: 8, band: { low: 0.1, high: 0.9 }, worth: 0.05 },
  ...{ unsolvedShare: 0.1, classShare: 0.6 },
};

function kinds(scores: readonly (readonly [string | null, number])[]) {
  const probed = scores.map(([bugClass, solved], at) => ({
    ...{ name: `t${at}`, hash: `${at}`, bugClass, solved, probes: 8 },
  }));
  return kindsAtFrontier(calibratedTasks(probed, settings), ({ bugClass }) => bugClass);
}

const MIXED = kinds([
  ['logic', 8],
  ['logic', 4],
  ['copy', 4],
  ['copy', 4],
  ['protocol', 0],
  [null, 4],
]);

test('kinds are counted, most at the frontier first; tasks of no kind are left out', () => {
  expect(MIXED).toMatchObject([
    { kind: 'copy', tasks: 2, atFrontier: 2 },
    { kind: 'logic', tasks: 2, atFrontier: 1 },
    { kind: 'protocol', tasks: 1, atFrontier: 0 },
  ]);
  const [copy, logic, protocol] = MIXED.map(({ inBand }) => inBand);
  expect(copy).toBeGreaterThan(0.95);
  expect(logic).toBeCloseTo(((copy ?? 0) + (protocol ?? 0)) / 2, 2);
});

test('a round is shared out among the classes at the frontier; earlier tasks stay counted', () => {
  expect(classesOfRound(MIXED, { logic: 2, copy: 2, protocol: 1 }, 10)).toEqual({
    ...{ copy: 2 + 7, logic: 2 + 4, protocol: 1 },
  });
  expect(classesOfRound(MIXED, {}, 1)).toEqual({ copy: 1, logic: 1 });
});

test('where nothing lies at the frontier every class gets its part', () => {
  const none = kinds([
    ['logic', 8],
    ['copy', 0],
  ]);
  expect(frontierOf(none)).toHaveLength(2);
  expect(classesOfRound(none, { copy: 3 }, 4)).toEqual({ logic: 2, copy: 5 });
});
