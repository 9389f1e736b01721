import { messageOf } from '../../lib/index.ts';
import { taskInvalid } from './invalid.ts';
import { LiteralProblem, parsePythonStrings } from './python-literal.ts';

/** The largest list known has about 10,000 names. */
const MAX_CHARS = 64 * 1024 * 1024;

/**
 * Names of tests in any spelling that data sets have: a list, JSON text, JSON text of JSON text, or
 * the text of a Python list or tuple. Nothing is evaluated; names stay as they are, doubles are left
 * out.
 *
 * @param field what the list is called, for the refusal
 * @throws VivariumError `task_invalid` with the reason
 */
export function parseTestList(value: unknown, field: string): string[] {
  try {
    return [...new Set(namesOf(value, 1))];
  } catch (error) {
    if (!(error instanceof LiteralProblem)) throw error;
    throw taskInvalid(
      `the test list ${field} cannot be read: ${messageOf(error)}`,
      'Write it as a JSON list of names, or take a copy of the data set that has lists.',
      error,
    );
  }
}

function namesOf(value: unknown, unwrap: number): string[] {
  if (Array.isArray(value)) return value.map(checkedName);
  if (typeof value !== 'string') throw new LiteralProblem(`it is ${kindOf(value)}, no list`);
  if (value.length > MAX_CHARS) throw new LiteralProblem('it is too large');
  const text = value.trim();
  if (text === '') throw new LiteralProblem('it is empty');
  const json = parseJson(text);
  if (json === undefined) return parsePythonStrings(text).map(checkedName);
  if (typeof json === 'string' && unwrap > 0) return namesOf(json, unwrap - 1);
  return Array.isArray(json) ? json.map(checkedName) : namesOf(json, 0);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function checkedName(name: unknown): string {
  if (typeof name !== 'string')
    throw new LiteralProblem(`it holds ${kindOf(name)} instead of a name`);
  if (name.trim() === '') throw new LiteralProblem('it holds an empty name');
  if (!name.isWellFormed()) throw new LiteralProblem('it holds a name that is not valid Unicode');
  return name;
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
