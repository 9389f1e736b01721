import { describe, expect, it } from 'vitest';
import { filtered, firstFault, isFault, numbered } from './log-lines.ts';

describe('lines of a log', () => {
  it('are numbered over all that was told, and the oldest go first', () => {
    expect(numbered([['a', 'b'], [], ['c']], 2)).toEqual([
      { number: 1, text: 'b' },
      { number: 2, text: 'c' },
    ]);
    expect(numbered([], 5)).toEqual([]);
  });

  it('are found by words in any case', () => {
    const lines = numbered([['Loading weights', 'ready']], 9);
    expect(filtered(lines, ' WEIGHTS ').map(({ text }) => text)).toEqual(['Loading weights']);
    expect(filtered(lines, '  ')).toBe(lines);
  });

  it('tells faults from words that only look like them', () => {
    const faults = [
      'ERROR 01-01 12:00:00 core.py:396] Engine died',
      'Traceback (most recent call last):',
      'torch.cuda.OutOfMemoryError: CUDA out of memory.',
      'error: unknown argument: --foo',
      '[2026-01-01] ERROR failed to load',
      'ValueError: No available memory for the cache blocks.',
    ];
    expect(faults.map(isFault)).toEqual(faults.map(() => true));
    const fine = [
      'INFO started',
      'terrors of the deep',
      'error_rate 0.1: Error_count',
      'done, 0 errors',
    ];
    expect(fine.map(isFault)).toEqual(fine.map(() => false));
  });

  it('pins what the engine named, else the first fault, else nothing', () => {
    const lines = numbered([['one', 'ValueError: first', 'the real cause, with more', 'end']], 9);
    expect(firstFault(lines, 'the real cause')?.number).toBe(2);
    expect(firstFault(lines, 'not in the log')?.number).toBe(1);
    expect(firstFault(lines, null)?.number).toBe(1);
    expect(firstFault(numbered([['fine']], 9), null)).toBe(null);
  });
});
