import { displayWidth, padToWidth, truncateToWidth } from '../../../lib/index.ts';

/** Columns narrower than this are not worth showing the beginning of a text in. */
const LEAST_COLUMNS = 8;
/** With less room than this for the last column, other columns are left out for it. */
const ENOUGH_COLUMNS = 20;
const GAP = '  ';

/**
 * Rows under a heading, columns aligned, no lines drawn. With a terminal's width the last column is
 * cut where it would wrap, and the columns headed as in `spare` are left out, first to last, until
 * it has room. Cells have to be safe to print (see `safe-text.ts`).
 */
export function renderTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number | null,
  spare: readonly string[] = [],
): string {
  const all = [heading, ...rows];
  const widths = heading.map((_, column) =>
    Math.max(...all.map((row) => displayWidth(row[column] ?? ''))),
  );
  const last = heading.length - 1;
  const before = widths.slice(0, last).reduce((sum, width) => sum + width + GAP.length, 0);
  const room = columns === null ? Infinity : Math.max(LEAST_COLUMNS, columns - before);
  const [dropped, ...others] = spare;
  if (room < Math.min(ENOUGH_COLUMNS, widths[last] ?? 0) && dropped !== undefined) {
    const without = (row: readonly string[]): string[] =>
      row.filter((_, column) => heading[column] !== dropped);
    return renderTable(without(heading), rows.map(without), columns, others);
  }
  const lines = all.map((row) =>
    row
      .map((cell, column) =>
        column === last ? truncateToWidth(cell, room) : padToWidth(cell, widths[column] ?? 0),
      )
      .join(GAP)
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}
