import { expect, test } from 'vitest';
import { formatSize, parseSize } from './sizes.ts';

test.each([
  ['4GiB', 4 * 2 ** 30],
  ['512m', 512 * 2 ** 20],
  ['1.5 GB', 1.5e9],
  ['1000', 1000],
  [77, 77],
  ['', null],
  ['four', null],
  ['4 XB', null],
  ['-1', null],
  [-1, null],
])('parseSize(%j) is %j', (text, bytes) => {
  expect(parseSize(text)).toBe(bytes);
});

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1536, '1.5 KiB'],
  [312 * 2 ** 20, '312 MiB'],
  [4 * 2 ** 30, '4.0 GiB'],
])('formatSize(%d) is %s', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text);
});
