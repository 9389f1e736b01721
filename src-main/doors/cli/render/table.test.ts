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

test('columns that can be spared go, one by one, when the last one has no room', () => {
  const heading = ['ID', 'KIND', 'SIZE', 'WHAT'];
  const rows = [['b', 'plain', '12', 'a text of twenty-five col']];
  const shown = (columns: number) => renderTable(heading, rows, columns, ['SIZE', 'KIND']);
  expect(shown(37)).toBe('ID  KIND   SIZE  WHAT\nb   plain  12    a text of twenty-fi…\n');
  expect(shown(36)).toBe('ID  KIND   WHAT\nb   plain  a text of twenty-five col\n');
  expect(shown(30)).toBe('ID  WHAT\nb   a text of twenty-five col\n');
  expect(shown(15)).toBe('ID  WHAT\nb   a text of …\n');
});

test('the last column is cut where the terminal ends, but never to nothing', () => {
  expect(renderTable(HEADING, ROWS, 20)).toBe('ID    WHAT\n漢字  a long text a…\nb\n');
  expect(renderTable(HEADING, ROWS, 3)).toBe('ID    WHAT\n漢字  a long …\nb\n');
});
