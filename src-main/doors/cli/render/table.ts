import { displayWidth, padToWidth, truncateToWidth } from '../../../lib/index.ts';

/** Columns narrower than this are not worth showing the beginning of a text in. */
const LEAST_COLUMNS = 8;
const GAP = '  ';

/**
 * Rows under a heading, columns aligned, no lines drawn. With a terminal's width the last column is
 * cut where it would wrap. Cells have to be safe to print (see `safe-text.ts`).
 */
export function renderTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number | null,
): string {
  const all = [heading, ...rows];
  const widths = heading.map((_, column) =>
    Math.max(...all.map((row) => displayWidth(row[column] ?? ''))),
  );
  const last = heading.length - 1;
  const before = widths.slice(0, last).reduce((sum, width) => sum + width + GAP.length, 0);
  const room = columns === null ? Infinity : Math.max(LEAST_COLUMNS, columns - before);
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
