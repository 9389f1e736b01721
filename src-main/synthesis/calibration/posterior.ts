import { betaCdf, betaQuantile } from './beta.ts';

/** What graded probes of one task gave. */
export interface Probes {
  solved: number;
  probes: number;
}

/** Beta(a, b) before any probe. */
export interface Prior {
  a: number;
  b: number;
}

const JEFFREYS: Prior = { a: 0.5, b: 0.5 };

/** Beta(a, b) of the pass rate after these probes. */
export function posteriorOf(found: Probes, prior: Prior = JEFFREYS): Prior {
  return { a: prior.a + found.solved, b: prior.b + found.probes - found.solved };
}

/**
 * Equal-tailed credible interval of the pass rate. It reaches 0 where nothing was solved and 1 where
 * all was (Brown, Cai, DasGupta 2001): the plain one leaves out the rates that many tasks do have.
 */
export function credibleInterval(
  found: Probes,
  level = 0.95,
  prior: Prior = JEFFREYS,
): { low: number; high: number } {
  const { a, b } = posteriorOf(found, prior);
  const tail = (1 - level) / 2;
  return {
    low: found.solved === 0 ? 0 : betaQuantile(tail, a, b),
    high: found.solved === found.probes ? 1 : betaQuantile(1 - tail, a, b),
  };
}

/** Unbiased p(1-p); `null` = fewer than two probes. */
export function learnability({ solved, probes }: Probes): number | null {
  return probes < 2 ? null : (solved * (probes - solved)) / (probes * (probes - 1));
}

/** Posterior share of pass rates within the band, 0 to 1. */
export function chanceInBand({ a, b }: Prior, low: number, high: number): number {
  return betaCdf(high, a, b) - betaCdf(low, a, b);
}

/** E[p^n] under Beta(a, b). */
function moment(a: number, b: number, n: number): number {
  let product = 1;
  for (let i = 0; i < n; i++) product *= (a + i) / (a + b + i);
  return product;
}

/** Chance that a group of `size` attempts has both solved and unsolved ones, under the posterior. */
export function signalChance({ a, b }: Prior, size = 8): number {
  return 1 - moment(a, b, size) - moment(b, a, size);
}
