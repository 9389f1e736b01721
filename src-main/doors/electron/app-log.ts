import { visibleLine } from '../../lib/index.ts';

const MOST_LINES = 2_000;
const LONGEST_LINE = 2_000;

/** What happened to the app, for a person to save when something went wrong. */
export interface AppLog {
  add(line: string): void;
  text(): string;
}

/** Keeps the last lines in memory; hidden characters are made visible. */
export function createAppLog(now: () => Date = () => new Date()): AppLog {
  const lines: string[] = [];
  return {
    add(line) {
      lines.push(`${now().toISOString()} ${visibleLine(line.slice(0, LONGEST_LINE))}`);
      if (lines.length > MOST_LINES) lines.shift();
    },
    text: () => `${lines.join('\n')}\n`,
  };
}
