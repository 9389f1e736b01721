import { expect, test } from 'vitest';
import { baseOfSeed, mixSeed } from './seeds.ts';

test('each pair has its own seed of 31 bits, and the base can be found again', () => {
  const seen = new Set<number>();
  for (let base = 0; base < 20; base += 1) {
    for (let draw = 0; draw < 200; draw += 1) {
      const seed = mixSeed(base, draw);
      expect(baseOfSeed(seed)).toBe(base);
      seen.add(seed);
    }
  }
  expect(seen.size).toBe(4000);
  expect(mixSeed(524_287, 4095)).toBe(2 ** 31 - 1);
  for (const base of [-1, 2 ** 40 + 1, 2 ** 52]) {
    const seed = mixSeed(base, 3);
    expect([seed >= 0, seed < 2 ** 31, Number.isInteger(seed)]).toEqual([true, true, true]);
  }
});
