import { expect, test } from 'vitest';
import { renderTable } from './table.ts';

const HEADING = ['ID', 'WHAT'];
const ROWS = [
  ['漢字', 'a long text at the end of the row'],
  ['b', ''],
];

test('columns are aligned by width, with nothing after the last cell', () => {
  expect(renderTable(HEADING, ROWS, null)).toBe(
    'ID    WHAT\n漢字  a long text at the end of the row\nb\n',
  );
});

test('the last column is cut where the terminal ends, but never to nothing', () => {
  expect(renderTable(HEADING, ROWS, 20)).toBe('ID    WHAT\n漢字  a long text a…\nb\n');
  expect(renderTable(HEADING, ROWS, 3)).toBe('ID    WHAT\n漢字  a long …\nb\n');
});
