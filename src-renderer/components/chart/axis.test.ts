import { describe, expect, it } from 'vitest';
import { elapsedLabel, elapsedTicks, placeAt, spanAt, tickLabel } from './axis.ts';

describe('the axis of a chart', () => {
  it('counts from its start, not from full seconds of the clock', () => {
    const zero = 1_796_000_000.37;
    const ticks = elapsedTicks(zero, zero, zero + 1.6, 0.5);
    expect(ticks.map((tick) => elapsedLabel(tick - zero, 0.5))).toEqual([
      ...['0', '0.5 s', '1.0 s', '1.5 s'],
    ]);
    expect(elapsedTicks(zero, zero, zero, 1)).toEqual([zero]);
  });

  it.each([
    [0.02, 0.02, '0.02 s'],
    [0.005, 0.001, '0.005 s'],
    [30, 15, '30 s'],
    [59.999_999, 15, '1:00'],
    [65, 5, '1:05'],
    [61.5, 0.5, '1:01.5'],
    [3_630, 30, '1:00:30'],
  ])('names %d s, %d s apart, as %s', (seconds, step, label) => {
    expect(elapsedLabel(seconds, step)).toBe(label);
  });

  it('has whole figures', () => {
    expect(tickLabel('4.0 MiB', 4)).toBe('4 MiB');
    expect(tickLabel('1.5 GiB', 1)).toBe('1.5 GiB');
    expect(tickLabel('10.0', 10)).toBe('10');
    expect(tickLabel('0 B', 0)).toBe('0');
  });

  it('finds the step at a moment, and the figures that were known then', () => {
    const spans = [
      { id: 1, from: 10, to: 20 },
      { id: 2, from: 20, to: 20 },
      { id: 3, from: 40, to: 50 },
    ];
    expect([5, 15, 29, 31, 60].map((at) => spanAt(spans, at)?.id)).toEqual([1, 1, 1, 3, 3]);
    expect(spanAt([], 5)).toBeNull();
    expect([placeAt([10, 20], 5), placeAt([10, 20], 20), placeAt([10, 20], 99)]).toEqual([
      -1, 1, 1,
    ]);
  });
});
