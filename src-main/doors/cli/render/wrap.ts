import { displayWidth } from '../../../lib/index.ts';

/**
 * A line broken between words where it would not fit in `columns`; its further rows are indented. A
 * word that is longer than a row stays whole, so that it can be copied.
 */
export function wrapLine(line: string, columns: number, indent = '    '): string[] {
  if (displayWidth(line) <= columns) return [line];
  const rows: string[] = [];
  let row = '';
  for (const word of line.split(/(?<=\S)(?= )/)) {
    if (row !== '' && displayWidth(row + word) > columns) {
      rows.push(row);
      row = `${indent}${word.trimStart()}`;
    } else {
      row += word;
    }
  }
  return [...rows, row];
}
