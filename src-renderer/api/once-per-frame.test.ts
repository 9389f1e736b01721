import { describe, expect, it } from 'vitest';
import { oncePerFrame } from './once-per-frame.ts';

/** Frames that come when the test says so. */
function frames() {
  let then: (() => void) | undefined;
  return {
    next: (callback: () => void) => void (then = callback),
    come(): void {
      const due = then;
      then = undefined;
      due?.();
    },
    isWanted: () => then !== undefined,
  };
}

describe('once per frame', () => {
  it('runs at once what comes alone, and all else of a frame together with the next', () => {
    const frame = frames();
    let runs = 0;
    const ask = oncePerFrame(() => (runs += 1), frame.next);
    ask();
    expect(runs).toBe(1);
    for (let more = 0; more < 5; more += 1) ask();
    expect(runs).toBe(1);
    frame.come();
    expect(runs).toBe(2);
    ask();
    expect(runs).toBe(2);
    frame.come();
    expect(runs).toBe(3);
  });

  it('asks for no frame while nothing is to be done, and is at once again then', () => {
    const frame = frames();
    let runs = 0;
    const ask = oncePerFrame(() => (runs += 1), frame.next);
    ask();
    frame.come();
    expect([runs, frame.isWanted()]).toEqual([1, false]);
    ask();
    expect(runs).toBe(2);
  });

  it('does not lose what is asked for while it runs', () => {
    const frame = frames();
    let runs = 0;
    const ask = oncePerFrame(() => {
      runs += 1;
      if (runs === 1) ask();
    }, frame.next);
    ask();
    expect(runs).toBe(1);
    frame.come();
    expect(runs).toBe(2);
  });
});
