import { describe, expect, it } from 'vitest';
import type { ServerSample } from '../../../../src-main/contract/index.ts';
import { hasAny, measuresOf, withSample } from './series.ts';

const sample = (at: number, memoryBytes: number | null = at): ServerSample => ({
  ...{ at, memoryBytes, gpuBytes: null, gpuUtilization: null, figures: null },
  ...{ promptPerSecond: null, generatedPerSecond: null, cacheHitShare: null },
  ...{ firstTokenMs: null, interval: null, alert: null },
});

describe('samples as they come', () => {
  it('appends what is new, once, and drops what is too old', () => {
    const known = [sample(1000), sample(2000)];
    expect(withSample(known, sample(3000), 0).map(({ at }) => at)).toEqual([1000, 2000, 3000]);
    expect(withSample(known, sample(2000), 0)).toBe(known);
    expect(withSample(known, sample(1500), 0)).toBe(known);
    expect(withSample(known, null, 1500).map(({ at }) => at)).toEqual([2000]);
    expect(withSample(known, null, 5000)).toEqual([]);
    expect(withSample([], sample(1), 0).map(({ at }) => at)).toEqual([1]);
  });
});

describe('columns of the charts', () => {
  it('break where nobody looked for a while', () => {
    const { times, memory } = measuresOf([sample(1000), sample(2000), sample(200_000)]);
    expect(times).toEqual([1000, 2000, 2001, 200_000]);
    expect(memory).toEqual([1000, 2000, null, 200_000]);
  });

  it('are as long as a chart is wide at most, and end with the newest', () => {
    const many = Array.from({ length: 5_001 }, (_, index) => sample(index * 1000));
    const { times } = measuresOf(many);
    expect(times.length).toBe(1001);
    expect(times.at(-1)).toBe(5_000_000);
  });

  it('are empty of nothing', () => {
    expect(measuresOf([]).times).toEqual([]);
    expect([hasAny([null, null]), hasAny([null, 0])]).toEqual([false, true]);
  });
});
