/** The bench's table as text. Plain JavaScript: it is read by a Node that may be an older one. */

/** @typedef {import('./row.ts').Row} Row @typedef {import('./row.ts').Skipped} Skipped */

/** One docker exec per call has to take at least this many times ours. */
const TIMES_OURS = 8;

/**
 * Whether a row reaches what was set; `null` where nothing was.
 *
 * @param {Row | Skipped} row
 */
export function verdict(row) {
  if ('skipped' in row || row.reach === null) return null;
  const { p50, p95 } = row.reach;
  if (row.timesOurs !== undefined) return row.timesOurs >= TIMES_OURS;
  return (p50 === undefined || row.p50 <= p50) && (p95 === undefined || row.p95 <= p95);
}

/** @param {number} value @param {string} unit */
function figure(value, unit) {
  if (unit === 'count') return String(value);
  return `${value < 100 ? value.toFixed(value < 10 ? 2 : 1) : Math.round(value)} ${unit}`;
}

/** @param {Row | Skipped} row @returns {string[]} */
function cells(row) {
  if ('skipped' in row) return [row.what, '-', '-', '-', '-', `not measured: ${row.skipped}`];
  const reached = verdict(row);
  const ratio = row.timesOurs === undefined ? '' : `${row.timesOurs.toFixed(1)} times ours`;
  const reach = row.reach === null ? '' : `${row.reach.text}: ${reached ? 'yes' : 'NO'}`;
  return [
    row.what,
    figure(row.p50, row.unit),
    row.n === 1 ? '' : figure(row.p95, row.unit),
    String(row.n),
    reach,
    [ratio, row.note ?? ''].filter((text) => text !== '').join('; '),
  ];
}

/** @param {(Row | Skipped)[]} rows */
export function renderTable(rows) {
  const table = [['what', 'p50', 'p95', 'n', 'reach', 'remarks'], ...rows.map(cells)];
  const widths = table[0]?.map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
