import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** A small repository as `make_corpus.py` writes it. */
export interface Repository {
  id: string;
  kind: string;
  /** Text by path. */
  files: Record<string, string>;
  /** The file that gets the bug, and the function in it. */
  module: string;
  function: string;
  /** `null` = made to be copied from, without tests. */
  test: string | null;
  doc: string | null;
  /** Call and expected result, as Python text. */
  cases: [call: string, expected: string][];
}

/** A repository with one bug in it. */
export interface BuggyRepository extends Repository {
  method: string;
  /** The module without the bug; `files` has the one with it. */
  good: string;
  issue: string;
  /** Whether the issue says where to look. */
  named: boolean;
}

/** The objects of a file with one on each line. */
export async function* readLines<T>(file: string): AsyncGenerator<T> {
  for await (const line of createInterface({ input: createReadStream(file) })) {
    // Written by the scripts beside this one.
    if (line !== '') yield JSON.parse(line) as T;
  }
}

/** All objects of such a file. */
export async function readAll<T>(file: string): Promise<T[]> {
  const found: T[] = [];
  for await (const each of readLines<T>(file)) found.push(each);
  return found;
}
