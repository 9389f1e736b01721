import { describe, expect, it } from 'vitest';
import { chooseThreads, threadsAsked } from './threads.ts';

const MiB = 1024 * 1024;

describe('threads', () => {
  it.each([
    ['tadpole on any machine', 7, 16, 1],
    ['a small model on two cores leaves one free', 100, 2, 1],
    ['a small model on many cores', 250, 16, 4],
    ['a 1 GB model on 8 cores', 1_000, 8, 7],
    ['a 9 GB model on 8 cores', 9_000, 8, 7],
    ['a 9 GB model on 64 cores', 9_000, 64, 16],
    ['a single core', 9_000, 1, 1],
  ])('%s', (_title, size, cores, threads) => {
    expect(chooseThreads(size * MiB, cores)).toBe(threads);
  });
});

describe('VIVARIUM_THREADS', () => {
  it('is a count, or not set', () => {
    expect(threadsAsked({ VIVARIUM_THREADS: '3' })).toBe(3);
    expect([threadsAsked({}), threadsAsked({ VIVARIUM_THREADS: '' })]).toEqual([null, null]);
  });

  it.each(['abc', '0', '-1', '1.5', '1e3', '2000', ' 2'])('%o is refused', (text) => {
    expect(() => threadsAsked({ VIVARIUM_THREADS: text })).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: `VIVARIUM_THREADS is ${JSON.stringify(text)}, not a number of threads`,
        next: 'Set it to a whole number from 1 to 1024, or leave it out.',
      }),
    );
  });
});
