import { describe, expect, it } from 'vitest';
import { chooseThreads } from './threads.ts';

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
