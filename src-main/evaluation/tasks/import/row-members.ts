import { taskInvalid } from '../invalid.ts';
import { parseTestList } from '../test-list.ts';
import type { Row } from './row.ts';

/** Members of rows, checked. Each throws VivariumError `task_invalid`. */

/** Text that has to be there; of several names the first that is. */
export function text(row: Row, ...names: string[]): string {
  const found = optionalText(row, ...names);
  if (found !== undefined) return found;
  throw taskInvalid(
    `the row has no ${names.join(' or ')}`,
    'Check that the data set is of the format named with --format.',
  );
}

/** Text that says something, or `undefined`. */
export function optionalText(row: Row, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = row[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}

/** A test list under its name in capitals or small letters; a list that is not there is empty. */
export function testList(row: Row, name: string): string[] {
  const value = row[name] ?? row[name.toLowerCase()] ?? row[name.toUpperCase()];
  if (value === null || value === undefined || value === '') return [];
  return parseTestList(value, name);
}
