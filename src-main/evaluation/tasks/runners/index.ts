import { go } from './go.ts';
import { jest, mocha, node, tap, vitest } from './javascript.ts';
import { pytest } from './pytest.ts';
import type { TestRunner } from './types.ts';

export { LINES_FILE, ORDER_SEED, type TestRunner } from './types.ts';
export { pytest } from './pytest.ts';

const RUNNERS: readonly TestRunner[] = [pytest, go, node, mocha, vitest, jest, tap];

/** Names of the runners whose single tests can be told. */
export const RUNNER_NAMES: readonly string[] = RUNNERS.map(({ name }) => name);

/** The runner that a shell command calls by itself; `undefined` = none whose single tests can be told. */
export function runnerOf(command: string): TestRunner | undefined {
  return RUNNERS.find((runner) => runner.isIn(command));
}
