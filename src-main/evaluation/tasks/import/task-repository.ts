import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { messageOf } from '../../../lib/index.ts';
import { taskInvalid } from '../invalid.ts';
import type { Row } from './row.ts';

/** Columns that SWE-bench 5 keeps as files of their own in a task repository. */
const FILES = {
  patch: 'gold.patch',
  test_patch: 'test.patch',
  eval_script: 'eval.sh',
  problem_statement: 'problem_statement.md',
} as const;

export async function isTaskRepository(folder: string): Promise<boolean> {
  const found = await stat(path.join(folder, 'sweb.yaml')).catch(() => undefined);
  return found?.isFile() === true;
}

/**
 * Rows of a task repository (`tasks/ID/`), those of one split. Patches keep their line ends.
 *
 * @throws VivariumError `task_invalid`
 */
export async function readTaskRepository(folder: string, split: string): Promise<Row[]> {
  const root = path.join(folder, 'tasks');
  const entries = await readdir(root, { withFileTypes: true }).catch((error: unknown) => {
    throw taskInvalid(`${folder} has no folder tasks`, 'Check the task repository.', error);
  });
  const rows: Row[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!entry.isDirectory()) continue;
    const row = await readOne(path.join(root, entry.name));
    if (row !== undefined && (row['split'] ?? split) === split) rows.push(row);
  }
  return rows;
}

async function readOne(folder: string): Promise<Row | undefined> {
  const text = await readFile(path.join(folder, 'task.yaml'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const row = asObject(parse(text));
    for (const [column, file] of Object.entries(FILES)) {
      row[column] = await readFile(path.join(folder, file), 'utf8');
    }
    const tests = await readFile(path.join(folder, 'tests.json'), 'utf8');
    return { ...row, ...asObject(JSON.parse(tests)) };
  } catch (error) {
    throw taskInvalid(
      `the task ${path.basename(folder)} of the repository cannot be read: ${messageOf(error)}`,
      'Copy the task repository again.',
      error,
    );
  }
}

function asObject(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { ...(value as Record<string, unknown>) };
  }
  throw new Error('it holds no members');
}
