import { expect, test, vi } from 'vitest';
import { createActivityMeter } from './activity.ts';

/** A process that uses so many clock ticks between two looks, which are 100 ms apart. */
function looksAt(ticksALook: number, looks: number): number {
  let cpuTicks = 0;
  const entry = { pid: 2 ** 30, cpuTicks: 0, residentBytes: 0 };
  const finder = { find: () => [{ ...entry, cpuTicks: (cpuTicks += ticksALook) }] };
  const clock = vi.spyOn(performance, 'now');
  try {
    // The meter reads no more of an entry than these.
    const meter = createActivityMeter(finder as never, () => 0);
    let quiet = 0;
    for (let at = 0; at < looks; at += 1) {
      clock.mockReturnValue(at * 100);
      quiet = meter.look();
    }
    return quiet;
  } finally {
    clock.mockRestore();
  }
}

test('what our own looks cost a server is no sign of its life; work is', () => {
  expect(looksAt(0, 31)).toBe(3_000);
  expect(looksAt(1, 31)).toBe(3_000);
  expect(looksAt(3, 31)).toBeLessThan(500);
});
