import { describe, expect, it } from 'vitest';
import { besideHeadings, indexAfterChange, indexAfterKey } from './list-keys.ts';

describe('keys of a list', () => {
  it.each([
    ['ArrowDown', -1, 0],
    ['ArrowUp', -1, 0],
    ['j', 4, 5],
    ['j', 9_999, 9_999],
    ['k', 0, 0],
    ['PageDown', -1, 19],
    ['PageDown', 9_990, 9_999],
    ['PageUp', 25, 6],
    ['PageUp', 3, 0],
    ['Home', 500, 0],
    ['End', -1, 9_999],
    ['x', 5, null],
    ['Enter', 5, null],
  ])('%s at %i leads to %j', (key, index, next) => {
    expect(indexAfterKey(key, { index, count: 10_000, page: 20 })).toBe(next);
  });

  it('moves by a row at least, and nowhere in an empty list', () => {
    expect(indexAfterKey('PageDown', { index: 0, count: 3, page: 0 })).toBe(1);
    expect(indexAfterKey('End', { index: -1, count: 0, page: 20 })).toBeNull();
  });
});

describe('rows that change', () => {
  it('keeps the mark on its item, then on its place', () => {
    expect(indexAfterChange(['n', 'a', 'b'], 'a', 0)).toBe(1);
    expect(indexAfterChange(['a', 'c'], 'b', 1)).toBe(1);
    expect(indexAfterChange(['a'], 'b', 5)).toBe(0);
    expect(indexAfterChange([], 'b', 1)).toBe(-1);
    expect(indexAfterChange(['a'], null, -1)).toBe(-1);
  });
});

describe('headings in a list', () => {
  // Rows 0 and 3 are headings.
  const isHeading = (index: number) => index === 0 || index === 3;
  it.each([
    [0, -1, 1],
    [0, 1, 1],
    [3, 2, 4],
    [3, 4, 2],
    [5, 4, 5],
  ])('a key to %i from %i marks %i', (wanted, before, marked) => {
    expect(besideHeadings(wanted, before, 6, isHeading)).toBe(marked);
  });

  it('marks nothing where all are headings', () => {
    expect(besideHeadings(0, -1, 1, () => true)).toBeNull();
  });
});
