import { expect, it } from 'vitest';
import { randomOf } from '../../lib/index.ts';
import { betaCdf, betaQuantile } from './beta.ts';
import { nextProbeBuys, nextProbes, PROBE_DEFAULTS } from './next-probes.ts';
import { credibleInterval, learnability, posteriorOf, signalChance } from './posterior.ts';

// a, b, x, beta.cdf(x, a, b), beta.ppf(x, a, b) of scipy 1.17.1.
const SCIPY = [
  [0.5, 0.5, 0.025, 0.10108262410425989, 0.001541333133436012],
  [0.5, 0.5, 0.4, 0.43590578315102513, 0.3454915028125263],
  [0.5, 0.5, 0.975, 0.8989173758957401, 0.9984586668665639],
  [0.5, 4.5, 0.025, 0.35758486227921094, 0.0001153327882382748],
  [0.5, 4.5, 0.4, 0.9632125021202144, 0.031776115237264514],
  [0.5, 4.5, 0.975, 0.9999999838564256, 0.4447626176576396],
  [2.5, 2.5, 0.025, 0.0005225352961233208, 0.12275388276951774],
  [2.5, 2.5, 0.4, 0.33360956282916693, 0.44067851150455284],
  [2.5, 2.5, 0.975, 0.9994774647038768, 0.8772461172304822],
  [1.5, 7.5, 0.025, 0.058122059952734194, 0.013838233790320757],
  [1.5, 7.5, 0.4, 0.9518785006518209, 0.11373143461221488],
  [1.5, 7.5, 0.975, 0.9999999999969063, 0.4537193210324146],
  [8.5, 0.5, 0.025, 4.653031587437533e-15, 0.7377827512828142],
  [8.5, 0.5, 0.4, 9.875798788064976e-5, 0.9580028100974037],
  [8.5, 0.5, 0.975, 0.5179557708693648, 0.9999405096971056],
] as const;

it.each(SCIPY)('Beta(%d, %d) at %d is that of scipy to 1e-9', (a, b, x, cdf, quantile) => {
  expect(Math.abs(betaCdf(x, a, b) - cdf)).toBeLessThan(1e-9);
  expect(Math.abs(betaQuantile(x, a, b) - quantile)).toBeLessThan(1e-9);
});

it('the beta function and its inverse agree with closed forms to 1e-9', () => {
  for (const x of [0.001, 0.1, 0.37, 0.5, 0.9, 0.999]) {
    expect(Math.abs(betaCdf(x, 0.5, 0.5) - (2 / Math.PI) * Math.asin(Math.sqrt(x)))).toBeLessThan(
      1e-9,
    );
    expect(Math.abs(betaCdf(x, 1, 8) - (1 - (1 - x) ** 8))).toBeLessThan(1e-9);
    expect(Math.abs(betaCdf(x, 2, 2) - (3 * x * x - 2 * x ** 3))).toBeLessThan(1e-9);
    expect(Math.abs(betaCdf(betaQuantile(x, 0.5, 8.5), 0.5, 8.5) - x)).toBeLessThan(1e-9);
  }
});

it('learnability is unbiased, and a group of 8 tells most at even chances', () => {
  expect(learnability({ solved: 2, probes: 4 })).toBe(4 / 12);
  expect(learnability({ solved: 1, probes: 1 })).toBeNull();
  expect(signalChance({ a: 1, b: 1 })).toBeCloseTo(7 / 9, 12);
  expect(signalChance(posteriorOf({ solved: 2, probes: 4 }))).toBeGreaterThan(
    signalChance(posteriorOf({ solved: 0, probes: 4 })),
  );
});

it('four probes come first, eight are the most, and a settled task gets none', () => {
  const tasks = [
    { solved: 0, probes: 0 },
    { solved: 2, probes: 4 },
    { solved: 1, probes: 8 },
  ];
  expect(nextProbes(tasks, PROBE_DEFAULTS)).toEqual([4, 0, 0]);
  expect(nextProbes([{ solved: 0, probes: 4 }], PROBE_DEFAULTS)).toEqual([1]);
  const patient = { ...PROBE_DEFAULTS, worth: 0 };
  expect(
    nextProbes(
      [
        { solved: 0, probes: 7 },
        { solved: 0, probes: 8 },
      ],
      patient,
    ),
  ).toEqual([1, 0]);
  expect(nextProbeBuys({ solved: 2, probes: 4 }, PROBE_DEFAULTS)).toBeLessThan(0.02);
});

it.each([1, 2, 3, 4, 5])(
  'seed %i: the 0.95 interval covers 180 of 200 tasks or more and 72 of the 80 between 0 and 1, with 30 per cent fewer probes than 8 each',
  (seed) => {
    const random = randomOf(seed);
    const rates = Array.from({ length: 200 }, (_, i) => (i < 70 ? 0 : i < 120 ? 1 : random()));
    let used = 0;
    let covered = 0;
    let coveredBetween = 0;
    for (const rate of rates) {
      const found = { solved: 0, probes: 0 };
      for (let more = 4; more > 0; more = nextProbes([found], PROBE_DEFAULTS)[0] ?? 0)
        for (let i = 0; i < more; i++, found.probes++) if (random() < rate) found.solved++;
      const { low, high } = credibleInterval(found);
      used += found.probes;
      if (low > rate || rate > high) continue;
      covered++;
      if (rate > 0 && rate < 1) coveredBetween++;
    }
    expect(covered).toBeGreaterThanOrEqual(180);
    // The interval takes 0 and 1 in by rule where nothing or all was solved: those tasks prove little.
    expect(coveredBetween).toBeGreaterThanOrEqual(72);
    expect(used).toBeLessThanOrEqual(0.7 * 1600);
  },
);
