import { expect, test } from 'vitest';
import {
  formatAge,
  formatChange,
  formatClock,
  formatCount,
  formatSeconds,
  plural,
} from './format.ts';

test('durations', () => {
  expect(
    [0, 0.26, 0.9996, 9.94, 9.96, 59.4, 59.6, 61, 3599.6, 3660, 90_000].map(formatSeconds),
  ).toEqual([
    '0 ms',
    '260 ms',
    '1.0 s',
    '9.9 s',
    '10 s',
    '59 s',
    '1 min 00 s',
    '1 min 01 s',
    '1 h 00 min',
    '1 h 01 min',
    '25 h 00 min',
  ]);
});

test('clocks and ages', () => {
  expect([-1, 0, 61.9, 3600, 36_061].map(formatClock)).toEqual([
    '0:00',
    '0:00',
    '1:01',
    '1:00:00',
    '10:01:01',
  ]);
  expect([-5, 59.9, 60, 3599, 86_399, 172_800].map(formatAge)).toEqual([
    '0 s',
    '59 s',
    '1 min',
    '59 min',
    '23 h',
    '2 d',
  ]);
});

test('counts and changes', () => {
  expect([formatCount(null), formatCount(0), formatCount(1_234_567)]).toEqual([
    '?',
    '0',
    '1,234,567',
  ]);
  expect([plural(1, 'step'), plural(0, 'step'), plural(1200, 'step')]).toEqual([
    '1 step',
    '0 steps',
    '1,200 steps',
  ]);
  expect(formatChange({ insertions: 3, deletions: null })).toBe('+3 -0');
});
