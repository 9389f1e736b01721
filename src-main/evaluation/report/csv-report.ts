import { visibleLine } from '../../lib/index.ts';
import { cellRows, type CellRow } from './cell-rows.ts';
import type { ReportData } from './report-data.ts';

/** Tests named in one field at most; the JSON report has all. */
const MOST_NAMES = 20;
const LINE_END = '\r\n';

const COLUMNS = [
  ...(['task', 'taskHash', 'entry', 'seed', 'state', 'outcome', 'ending', 'resolved'] as const),
  ...(['reward', 'tries', 'steps', 'promptTokens', 'completionTokens', 'cachedTokens'] as const),
  ...(['modelSeconds', 'toolSeconds', 'totalSeconds', 'gradingSeconds'] as const),
  ...(['peakMemoryBytes', 'energyJoules', 'patchFiles', 'insertions', 'deletions'] as const),
  ...(['premature', 'suspicions', 'infra', 'unmetFailToPass', 'unmetPassToPass'] as const),
  ...(['summary', 'label', 'note', 'session'] as const),
] satisfies (keyof CellRow)[];

/**
 * One line for each cell that was asked for (RFC 4180). What is not known is an empty field. A text
 * that a spreadsheet would read as a formula begins with an apostrophe; hidden characters are escapes.
 */
export function csvReport(data: ReportData): Uint8Array {
  const lines = cellRows(data).map((row) => COLUMNS.map((column) => field(row[column])).join(','));
  return Buffer.from([COLUMNS.join(','), ...lines, ''].join(LINE_END));
}

function field(value: CellRow[keyof CellRow]): string {
  if (value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const more = typeof value === 'string' ? 0 : value.length - MOST_NAMES;
  const shown = typeof value === 'string' ? value : value.slice(0, MOST_NAMES).join('; ');
  return quoted(guarded(visibleLine(more > 0 ? `${shown}; and ${more} more` : shown)));
}

/** Spreadsheets take these beginnings for formulas, some of them also behind blanks. */
function guarded(text: string): string {
  return /^\s*[=+\-@|%＝＋－＠]/u.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
