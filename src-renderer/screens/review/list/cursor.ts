import type { Change } from 'gitdiff-parser';
import { keyOf } from '../patch/read-file.ts';
import type { Row } from './rows.ts';

/** Where the keyboard is: a file, a hunk, or a line of a hunk. */
export interface Cursor {
  file: number;
  /** `null` = the file as a whole. */
  unit: string | null;
  /** Key of the change; `null` = the hunk as a whole. */
  line: string | null;
}

/** Where a cursor can rest, in order: each file, then its hunks. */
type Stop = Extract<Row, { kind: 'file' | 'hunk' }>;

/** The next or previous hunk; a file whose pieces cannot be told apart, or that is folded, is one. */
export function nextChange(rows: readonly Row[], from: Cursor | null, by: 1 | -1): Cursor | null {
  return step(changeStops(rows), from, by);
}

export function nextFile(rows: readonly Row[], from: Cursor | null, by: 1 | -1): Cursor | null {
  const stops = rows.filter((row) => row.kind === 'file');
  if (from !== null && from.unit !== null && by === -1) return cursorOf(stops[from.file]);
  return step(stops, from === null ? null : { file: from.file, unit: null, line: null }, by);
}

/** Ids to decide on at a cursor. */
export function idsAt(cursor: Cursor | null): string[] {
  return cursor === null ? [] : [cursor.unit ?? String(cursor.file)];
}

/** The next or previous line of the cursor's hunk; stays at its ends. */
export function nextLine(rows: readonly Row[], from: Cursor, by: 1 | -1): Cursor {
  const lines = linesAt(rows, from);
  const at = from.line === null ? -1 : lines.findIndex((change) => keyOf(change) === from.line);
  const change = lines[at + by];
  if (change === undefined) return at + by < 0 ? { ...from, line: null } : from;
  return { ...from, line: keyOf(change) };
}

/** Lines of the hunk a cursor is in. */
export function linesAt(rows: readonly Row[], { file, unit }: Cursor): Change[] {
  return rows.flatMap((row) =>
    row.kind === 'lines' && row.file === file && row.unit === unit ? row.changes : [],
  );
}

/** Place of the row that a cursor marks; -1 where it is not there (any more). */
export function rowOfCursor(rows: readonly Row[], { file, unit, line }: Cursor): number {
  if (line !== null) {
    const at = rows.findIndex(
      (row) =>
        row.kind === 'lines' &&
        row.file === file &&
        row.unit === unit &&
        row.changes.some((change) => keyOf(change) === line),
    );
    if (at !== -1) return at;
  }
  return rows.findIndex((row) =>
    unit === null
      ? row.kind === 'file' && row.file === file
      : row.kind === 'hunk' && row.unit === unit && row.file === file,
  );
}

function changeStops(rows: readonly Row[]): Stop[] {
  const withHunks = new Set(
    rows.flatMap((row) => (row.kind === 'hunk' && row.decided ? [row.file] : [])),
  );
  return rows.filter((row): row is Stop =>
    row.kind === 'file' ? !withHunks.has(row.file) : row.kind === 'hunk' && row.decided,
  );
}

function step(stops: readonly Stop[], from: Cursor | null, by: 1 | -1): Cursor | null {
  if (from === null) return cursorOf(by === 1 ? stops[0] : stops.at(-1));
  const at = stops.findIndex((stop) => isAt(stop, from));
  if (at !== -1) return cursorOf(stops[at + by]);
  // From a file's head to the first of its hunks, or to the last one before it.
  return by === 1
    ? cursorOf(stops.find(({ file }) => file >= from.file))
    : cursorOf(stops.findLast(({ file }) => file < from.file));
}

function isAt(stop: Stop, { file, unit }: Cursor): boolean {
  if (stop.file !== file) return false;
  return stop.kind === 'file' ? unit === null : stop.unit === unit;
}

function cursorOf(stop: Stop | undefined): Cursor | null {
  if (stop === undefined) return null;
  return { file: stop.file, unit: stop.kind === 'file' ? null : stop.unit, line: null };
}
