import { VivariumError } from '../../../lib/index.ts';
import * as lines from './lines.ts';
import * as python from './pytest.ts';
import type { LogFacts, LogParser, Results } from './types.ts';

export type { LogFacts } from './types.ts';

/** By the name that a row of SWE-bench 5 gives as `log_parser`. */
const PARSERS: Readonly<Record<string, LogParser>> = {
  parse_log_pytest: python.pytest,
  parse_log_gotest: lines.gotest,
};

/** Names of all parsers that are known. */
export function logParsers(): string[] {
  return Object.keys(PARSERS).toSorted();
}

/**
 * Results by test name from the log of a test run.
 * @throws VivariumError `task_invalid` for a parser that is not known.
 */
export function parseLog(name: string, log: string, facts: LogFacts): Results {
  const parser = Object.hasOwn(PARSERS, name) ? PARSERS[name] : undefined;
  if (parser !== undefined) return parser(log, facts);
  throw new VivariumError(
    'task_invalid',
    `There is no log parser ${JSON.stringify(name)}.`,
    'Name one of SWE-bench 5, such as parse_log_pytest; older rows name none and need one.',
  );
}
