import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from './options.ts';
import { createRestartPolicy } from './restart-policy.ts';

const MINUTE_MS = 60_000;

describe('restarts', () => {
  it('S03 come after 1, 2 and 4 s, and no fourth within ten minutes', () => {
    let now = 0;
    const policy = createRestartPolicy(
      DEFAULT_LIMITS,
      () => now,
      () => 0,
    );
    expect([policy.next(), policy.next(), policy.next(), policy.next()]).toEqual([
      1_000,
      2_000,
      4_000,
      null,
    ]);
    now += 9 * MINUTE_MS;
    expect(policy.next()).toBeNull();
    now += 2 * MINUTE_MS;
    expect(policy.next()).toBe(1_000);
  });

  it('wait up to a quarter longer by chance, and never much longer than a minute', () => {
    const limits = { ...DEFAULT_LIMITS, restarts: 10 };
    const policy = createRestartPolicy(
      limits,
      () => 0,
      () => 1,
    );
    const waits = Array.from({ length: 8 }, () => policy.next());
    expect(waits).toEqual([1_250, 2_500, 5_000, 10_000, 20_000, 40_000, 75_000, 75_000]);
  });
});
