import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { clusteredBootstrap } from './bootstrap.ts';
import { exactPairedTest } from './exact-test.ts';
import { normalCdf, normalQuantile } from './normal.ts';
import { expectedSpread, KNOWN_FLIPS, smallestDifference, tasksNeeded } from './power.ts';
import { passAtK, passHatK, wilson } from './proportions.ts';
import { quantile, standardDeviation } from './sample.ts';

const number = z.number();
const pairs = z.array(z.tuple([number, number]));
const fixture = z
  .object({
    cdf: pairs,
    quantile: pairs,
    wilson: z.array(
      z.object({ hits: number, n: number, confidence: number, low: number, high: number }),
    ),
    passes: z.array(z.object({ n: number, c: number, k: number, at: number, hat: number })),
    mcnemar: z.array(z.object({ onlyA: number, onlyB: number, p: number })),
    paired: z.array(z.object({ differences: z.array(number), p: number })),
    numpyQuantile: pairs,
    standardDeviation: z.object({ values: z.array(number), value: number }),
    bootstrap: z.array(
      z.object({
        ...{ values: z.array(number), resamples: number, seed: number },
        ...{ value: number, low: number, high: number },
      }),
    ),
    power: z.array(z.object({ tasks: number, spread: number, smallest: number })),
  })
  .parse(
    JSON.parse(
      readFileSync(
        path.join(import.meta.dirname, '../../../test/fixtures/statistics.json'),
        'utf8',
      ),
    ),
  );

/** How far apart they are, small values relative to their size; 1e-9 is asked for. */
function apart(found: number, value: number): number {
  return Math.abs(found - value) / Math.max(1e-6, Math.min(1, Math.abs(value)));
}

describe('equal to scipy and numpy', () => {
  it('normal distribution', () => {
    expect(fixture.cdf.length + fixture.quantile.length).toBe(19);
    for (const [x, p] of fixture.cdf) expect(apart(normalCdf(x), p)).toBeLessThan(1e-9);
    for (const [p, x] of fixture.quantile) expect(apart(normalQuantile(p), x)).toBeLessThan(1e-9);
    expect(() => normalQuantile(1)).toThrow('no quantile at 1');
  });

  it.each(fixture.wilson)('Wilson: $hits of $n at $confidence', (one) => {
    const found = wilson(one.hits, one.n, one.confidence);
    expect(apart(found.low, one.low)).toBeLessThan(1e-9);
    expect(apart(found.high, one.high)).toBeLessThan(1e-9);
    expect(found.value).toBe(one.hits / one.n);
  });

  it('pass@k and pass^k of every n up to 6', () => {
    expect(fixture.passes.length).toBe(112);
    for (const { n, c, k, at, hat } of fixture.passes) {
      expect(apart(passAtK(n, c, k), at)).toBeLessThan(1e-9);
      expect(apart(passHatK(n, c, k), hat)).toBeLessThan(1e-9);
    }
    expect([passAtK(2, 1, 3), passHatK(2, 1, 3)]).toEqual([Number.NaN, Number.NaN]);
  });

  it.each(fixture.mcnemar)("McNemar's exact test: $onlyA against $onlyB", ({ onlyA, onlyB, p }) => {
    const differences = [...Array<number>(onlyA).fill(1), ...Array<number>(onlyB).fill(-1), 0, 0];
    expect(apart(exactPairedTest(differences), p)).toBeLessThan(1e-9);
  });

  it.each(fixture.paired)('paired permutation test: $differences', ({ differences, p }) => {
    expect(apart(exactPairedTest(differences), p)).toBeLessThan(1e-9);
  });

  it('quantile and standard deviation', () => {
    for (const [p, value] of fixture.numpyQuantile)
      expect(apart(quantile([1.5, 2, 4, 8, 16.25], p), value)).toBeLessThan(1e-9);
    const { values, value: spread } = fixture.standardDeviation;
    expect(apart(standardDeviation(values), spread)).toBeLessThan(1e-9);
    expect(standardDeviation([1])).toBe(Number.NaN);
  });

  it.each(fixture.bootstrap)(
    'bootstrap with seed $seed',
    ({ values, resamples, seed, ...want }) => {
      const found = clusteredBootstrap(values, { resamples, seed });
      expect(apart(found.value, want.value)).toBeLessThan(1e-9);
      expect(apart(found.low, want.low)).toBeLessThan(1e-9);
      expect(apart(found.high, want.high)).toBeLessThan(1e-9);
    },
  );

  it('smallest difference, and the tasks it needs', () => {
    for (const { tasks, spread, smallest } of fixture.power) {
      expect(apart(smallestDifference(tasks, spread), smallest)).toBeLessThan(1e-9);
      expect(Math.abs(tasksNeeded(smallest, spread) - tasks)).toBeLessThanOrEqual(1);
    }
    // 89 tasks with three seeds can't show 5 points.
    expect(smallestDifference(89, expectedSpread(KNOWN_FLIPS, 3))).toBeGreaterThan(0.05);
  });
});
