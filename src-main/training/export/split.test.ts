import { expect, test } from 'vitest';
import { families, sideOf, type KnownTask } from './split.ts';

/** Of the same number always the same: mulberry32. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Sets with names and contents that meet again and again. */
function drawnTasks(seed: number): KnownTask[] {
  const draw = random(seed);
  return Array.from({ length: 1 + draw(25) }, () => ({
    name: `task-${draw(20)}`,
    hash: `content-${draw(20)}`,
  }));
}

test('no task is on both sides, neither by its name nor by its content', () => {
  let held = 0;
  for (let seed = 0; seed < 300; seed += 1) {
    const tasks = drawnTasks(seed);
    const familyOf = families(tasks);
    const sides = tasks.map((one) => sideOf(familyOf(one), 0.3, seed));
    held += sides.filter((side) => side === 'validation').length;
    for (const key of ['name', 'hash'] as const) {
      const sideOfKey = new Map(tasks.map((one, index) => [one[key], sides[index]]));
      expect(tasks.map((one) => sideOfKey.get(one[key]))).toEqual(sides);
    }
  }
  expect(held).toBeGreaterThan(0);
});

test('the order of runs changes nothing; a share of 0 holds nothing out', () => {
  for (let seed = 0; seed < 100; seed += 1) {
    const tasks = drawnTasks(seed);
    const [forward, backward] = [families(tasks), families(tasks.toReversed())];
    expect(tasks.map(forward)).toEqual(tasks.map(backward));
    expect(new Set(tasks.map((one) => sideOf(forward(one), 0, seed)))).toEqual(new Set(['train']));
  }
});

test('the share is held: of 2000 tasks about a fifth', () => {
  const sides = Array.from({ length: 2000 }, (_, n) => sideOf(`hash ${n}`, 0.2, 0));
  const share = sides.filter((side) => side === 'validation').length / sides.length;
  // Four standard errors of a fifth of 2000.
  expect(Math.abs(share - 0.2)).toBeLessThan(4 * Math.sqrt((0.2 * 0.8) / 2000));
});
