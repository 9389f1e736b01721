import { chanceInBand, posteriorOf, type Prior, type Probes } from './posterior.ts';

export interface ProbeSettings {
  first: number;
  most: number;
  /** Kept pass rates, 0 to 1. */
  band: { low: number; high: number };
  /** Least fall in the chance of a wrong decision that one more probe has to buy. */
  worth: number;
}

export const PROBE_DEFAULTS: ProbeSettings = {
  first: 4,
  most: 8,
  band: { low: 0.1, high: 0.9 },
  worth: 0.05,
};

/** Chance that the better of the two decisions, kept or not, is the wrong one. */
function risk(posterior: Prior, { band }: ProbeSettings): number {
  const inside = chanceInBand(posterior, band.low, band.high);
  return Math.min(inside, 1 - inside);
}

function expectedRisk({ a, b }: Prior, ahead: number, settings: ProbeSettings): number {
  if (ahead === 0) return risk({ a, b }, settings);
  const pass = a / (a + b);
  return (
    pass * expectedRisk({ a: a + 1, b }, ahead - 1, settings) +
    (1 - pass) * expectedRisk({ a, b: b + 1 }, ahead - 1, settings)
  );
}

/** What one more probe is expected to take off the risk: the best rate over the next one or two. */
export function nextProbeBuys(found: Probes, settings: ProbeSettings): number {
  const posterior = posteriorOf(found);
  const now = risk(posterior, settings);
  const one = now - expectedRisk(posterior, 1, settings);
  const two = (now - expectedRisk(posterior, 2, settings)) / 2;
  return Math.max(0, one, two);
}

/** Probes to run next of each task, in the order given; 0 = it is decided, or no more is worth it. */
export function nextProbes(tasks: readonly Probes[], settings: ProbeSettings): number[] {
  return tasks.map((found) => {
    if (found.probes < settings.first) return settings.first - found.probes;
    if (found.probes >= settings.most) return 0;
    return nextProbeBuys(found, settings) < settings.worth ? 0 : 1;
  });
}
