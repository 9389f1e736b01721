import { failuresOf, type Graded } from '../../evaluation/index.ts';
import type { FailingTest } from '../types.ts';

const MAX_OUTPUT = 8192;

/** Failing tests with what the runner's report says of each; empty where it says nothing. */
export function failingTests(names: readonly string[], graded: Graded): FailingTest[] {
  // Of several with one name the first counts.
  const failures = failuresOf(graded).toReversed();
  const told = new Map(failures.map(({ name, output }) => [name, output]));
  return names.map((name) => ({ name, output: (told.get(name) ?? '').slice(0, MAX_OUTPUT) }));
}
