import type { Change } from 'gitdiff-parser';
import type { Review, ReviewFile } from '../../../../src-main/contract/index.ts';
import { inPairs } from '../patch/blocks.ts';
import { chunksOf } from '../patch/chunks.ts';
import { newLineOf, type ReadFile, type ReadHunk } from '../patch/read-file.ts';
import { isWhiteSpaceOnly, withoutWhiteSpace } from '../patch/white-space.ts';

export type Flag = Review['flags'][number];
export type Note = Review['notes'][number];

/** What stands below each other in the list of changes. Only those in sight exist on the page. */
export type Row =
  | { kind: 'file'; key: string; file: number }
  /** What is said of a file as a whole. */
  | { kind: 'about'; key: string; file: number }
  | { kind: 'hunk'; key: string; file: number; unit: string; header: string; decided: boolean }
  | { kind: 'lines'; key: string; file: number; unit: string; changes: Change[]; hunk: ReadHunk }
  | {
      kind: 'said';
      key: string;
      file: number;
      unit: string | null;
      said: 'reading' | 'white space';
      /** The one that is not shown. */
      hunk: ReadHunk | null;
    };

export interface RowsOptions {
  split: boolean;
  /** Changes of white space are not shown. */
  ignoreSpace: boolean;
  folded: ReadonlySet<number>;
}

/** The list of a review: files, what is said of them, their hunks, and pieces of those. */
export function rowsOf(
  files: readonly ReviewFile[],
  read: readonly (ReadFile | undefined)[],
  options: RowsOptions,
): Row[] {
  return files.flatMap((file, index) => fileRows(file, index, read[index], options));
}

function fileRows(
  file: ReviewFile,
  index: number,
  read: ReadFile | undefined,
  options: RowsOptions,
): Row[] {
  const rows: Row[] = [{ kind: 'file', key: `${index}`, file: index }];
  if (options.folded.has(index)) return rows;
  rows.push({ kind: 'about', key: `${index} about`, file: index });
  if (read === undefined) {
    rows.push({
      kind: 'said',
      key: `${index} read`,
      file: index,
      unit: null,
      said: 'reading',
      hunk: null,
    });
    return rows;
  }
  // Pieces that go as a whole are decided on at the file, so their hunks have no buttons.
  const decided = file.hunks.some(({ id }) => id.includes('.'));
  for (const [at, hunk] of read.hunks.entries()) {
    rows.push(...hunkRows(index, `${index} ${at}`, hunk, decided, options));
  }
  // Those behind the cut of a very long file can still be decided on.
  const unread = decided ? file.hunks.slice(read.hunks.length) : [];
  for (const { id, header } of unread) {
    rows.push({ kind: 'hunk', key: `${id} unread`, file: index, unit: id, header, decided: true });
  }
  return rows;
}

function hunkRows(
  file: number,
  key: string,
  hunk: ReadHunk,
  decided: boolean,
  { split, ignoreSpace }: RowsOptions,
): Row[] {
  const { unit, header } = hunk;
  const rows: Row[] = [{ kind: 'hunk', key, file, unit, header, decided }];
  if (ignoreSpace && isWhiteSpaceOnly(hunk.changes)) {
    rows.push({ kind: 'said', key: `${key} space`, file, unit, said: 'white space', hunk });
    return rows;
  }
  const seen = ignoreSpace ? withoutWhiteSpace(hunk.changes) : hunk.changes;
  for (const [at, changes] of chunksOf(split ? inPairs(seen) : seen).entries()) {
    rows.push({ kind: 'lines', key: `${key} ${at}`, file, unit, changes, hunk });
  }
  return rows;
}

/** Place of the row that holds a line of a file; the file's own where none does. */
export function rowOfLine(rows: readonly Row[], file: number, line: number | null): number {
  const own = rows.findIndex((row) => row.kind === 'file' && row.file === file);
  if (line === null) return own;
  const at = rows.findIndex(
    (row) =>
      row.file === file &&
      ((row.kind === 'lines' && row.changes.some((c) => newLineOf(c) === line)) ||
        (row.kind === 'said' && row.hunk?.changes.some((c) => newLineOf(c) === line) === true)),
  );
  return at === -1 ? own : at;
}

/** Heights in pixels at the usual size of type; those in sight are measured. */
export function estimatedHeight(row: Row): number {
  if (row.kind === 'lines') return row.changes.length * LINE_PX;
  return { file: 34, about: 0, hunk: 26, said: 30 }[row.kind];
}

const LINE_PX = 18;
