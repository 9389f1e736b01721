import type { TestStatus } from '../../../contract/index.ts';

/** What some parsers go by besides the log: runners changed with the years of a project. */
export interface LogFacts {
  /** E.g. `jekyll__jekyll-8047`. */
  instanceId: string;
  /** Of the project, as the row of the data set has it. */
  version: string;
}

export type Results = Map<string, TestStatus>;

/** Results by test name out of a log with `\n` line ends. What is told last counts. */
export type LogParser = (log: string, facts: LogFacts) => Results;
