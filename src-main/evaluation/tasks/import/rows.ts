import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../../lib/index.ts';
import { taskInvalid } from '../invalid.ts';
import type { Row } from './row.ts';
import { isTaskRepository, readTaskRepository } from './task-repository.ts';

/** What stands where a row should be: it is told like a row that cannot be a task, and stops nothing. */
export class BadRow {
  /** Name of its file. */
  readonly file: string;
  readonly reason: string;

  constructor(file: string, reason: string) {
    this.file = path.basename(file);
    this.reason = reason;
  }
}

/**
 * Rows of a data set: JSON (a list, or an object by id), JSON Lines, parquet, a folder with files of
 * splits, or a task repository (`sweb.yaml`).
 *
 * @param split which part of a folder; a folder with one file needs none
 * @throws VivariumError `task_invalid` with what cannot be read
 */
export async function readRows(source: string, split = 'test'): Promise<(Row | BadRow)[]> {
  const kind = await stat(source).catch((error: unknown) => {
    throw taskInvalid(`${source} cannot be read`, 'Check the path of the data set.', error);
  });
  if (!kind.isDirectory()) return readFileRows(source);
  if (await isTaskRepository(source)) return readTaskRepository(source, split);
  const files = await splitFiles(source, split);
  const parts: (Row | BadRow)[][] = [];
  for (const file of files) parts.push(await readFileRows(file));
  return parts.flat();
}

const READERS: Readonly<Record<string, (file: string) => Promise<unknown>>> = {
  '.json': readJson,
  '.jsonl': readJsonLines,
  '.ndjson': readJsonLines,
  '.parquet': readParquet,
};

async function readFileRows(file: string): Promise<(Row | BadRow)[]> {
  const read = READERS[path.extname(file).toLowerCase()];
  if (read === undefined) {
    const known = Object.keys(READERS).join(', ');
    throw taskInvalid(`${file} is no data set that can be read`, `Give a file of ${known}.`);
  }
  return rowsOf(await read(file), file);
}

function rowsOf(value: unknown, file: string): (Row | BadRow)[] {
  if (typeof value !== 'object' || value === null) throw notRows(file, 'it holds no rows');
  const rows = Array.isArray(value) ? (value as unknown[]) : keyedRows(value);
  return rows.map((row, at) => {
    if (row instanceof BadRow) return row;
    if (typeof row === 'object' && row !== null && !Array.isArray(row)) return row as Row;
    return new BadRow(file, `row ${at + 1} is no object`);
  });
}

/** One object is a row itself when it says its id; else each member is a row under its id. */
function keyedRows(value: object): unknown[] {
  if ('instance_id' in value || 'cve_id' in value) return [value];
  return Object.entries(value).map(([id, row]: [string, unknown]) =>
    typeof row === 'object' && row !== null ? { instance_id: id, ...row } : row,
  );
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(stripMark(await readFile(file, 'utf8'))) as unknown;
  } catch (error) {
    throw notRows(file, `it is no JSON: ${messageOf(error)}`, error);
  }
}

async function readJsonLines(file: string): Promise<unknown> {
  const rows: unknown[] = [];
  const lines = stripMark(await readFile(file, 'utf8')).split('\n');
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue;
    try {
      rows.push(JSON.parse(line) as unknown);
    } catch (error) {
      rows.push(new BadRow(file, `line ${at + 1} is no JSON: ${messageOf(error)}`));
    }
  }
  return rows;
}

function stripMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

/** Loaded on use: most data sets are JSON, and the decompressors are large. */
async function readParquet(file: string): Promise<unknown> {
  const { asyncBufferFromFile, parquetReadObjects } = await import('hyparquet');
  const { compressors } = await import('hyparquet-compressors');
  try {
    return await parquetReadObjects({ file: await asyncBufferFromFile(file), compressors });
  } catch (error) {
    throw notRows(file, `it is no parquet: ${messageOf(error)}`, error);
  }
}

/** Files of one split, as data sets are laid out: `test.jsonl`, `data/test-00000-of-00002.parquet`, `test/x.parquet`. */
async function splitFiles(folder: string, split: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && path.extname(entry.name).toLowerCase() in READERS)
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((name) => !/(^|\/)(dataset_info|state|README)\.\w+$|(^|\/)\./.test(name))
    .toSorted();
  const chosen = files.filter((name) => name.split('/').some((part) => isOfSplit(part, split)));
  const taken = chosen.length === 0 && files.length === 1 ? files : chosen;
  if (taken.length > 0) return taken.map((name) => path.join(folder, name));
  const found = files.length === 0 ? 'no data files' : files.slice(0, 8).join(', ');
  throw taskInvalid(
    `${folder} has no split ${JSON.stringify(split)} (found: ${found})`,
    'Name another split with --split, or the file itself.',
  );
}

/** `test`, `test.jsonl`, `test-00000-of-00002.parquet`; not `test_large.jsonl`. */
function isOfSplit(part: string, split: string): boolean {
  return part === split || (part.startsWith(split) && /^[.-]/.test(part.slice(split.length)));
}

function notRows(file: string, why: string, cause?: unknown): Error {
  return taskInvalid(`${file} cannot be used: ${why}`, 'Check the file, or copy it again.', cause);
}
