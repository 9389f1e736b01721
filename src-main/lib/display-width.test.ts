import { expect, test } from 'vitest';
import { displayWidth, padToWidth, truncateToWidth } from './display-width.ts';

test('columns of plain, wide, combined and invisible text', () => {
  expect(
    ['', 'abc', 'née', 'nee\u0301', '漢字', 'テスト', '한글', '👩‍👩‍👧 x', 'a\u200bb', '（', '❤️'].map(
      displayWidth,
    ),
  ).toEqual([0, 3, 3, 3, 4, 6, 4, 4, 2, 2, 2]);
});

test('truncation keeps within the columns and clusters whole', () => {
  expect(truncateToWidth('abcdef', 6)).toBe('abcdef');
  expect(truncateToWidth('abcdef', 5)).toBe('abcd…');
  expect(truncateToWidth('漢字漢字', 8)).toBe('漢字漢字');
  expect(truncateToWidth('漢字漢字', 7)).toBe('漢字漢…');
  expect(truncateToWidth('漢字漢字', 6)).toBe('漢字…');
  expect(truncateToWidth('ne\u0301e', 2)).toBe('n…');
  expect(truncateToWidth('abc', 1)).toBe('…');
  expect(truncateToWidth('abc', 0)).toBe('');
  expect(truncateToWidth('é', 1)).toBe('é');
});

test('padding', () => {
  expect(padToWidth('漢', 4)).toBe('漢  ');
  expect(padToWidth('abcd', 2)).toBe('abcd');
});
