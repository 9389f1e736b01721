import type { TestStatus } from '../../../contract/index.ts';
import type { LogParser, Results } from './types.ts';

/** Parts between blanks, as Python splits. */
export function words(line: string): string[] {
  return line.split(/\s+/).filter((word) => word !== '');
}

/** One kind of line that tells of a test. */
interface LineForm {
  /** Groups `status` and `name`, or `name` alone with `always`. */
  pattern: RegExp;
  statuses?: Readonly<Record<string, TestStatus>>;
  always?: TestStatus;
  /** Lines are taken without the blanks around them. */
  trim?: boolean;
  rename?: (name: string, status: TestStatus) => string;
}

/** No test has a longer line; a pattern could take for ever on one that was made for that. */
export const MAX_LINE = 2_000;

/** A parser that looks at each line alone; of several forms the first that fits counts. */
export function byLine(...forms: readonly LineForm[]): LogParser {
  return (log) => {
    const found: Results = new Map();
    for (const line of log.split('\n')) {
      if (line.length <= MAX_LINE) takeLine(line, forms, found);
    }
    return found;
  };
}

function takeLine(line: string, forms: readonly LineForm[], found: Results): void {
  for (const { pattern, statuses = {}, always, trim = true, rename } of forms) {
    const groups = pattern.exec(trim ? line.trim() : line)?.groups;
    if (groups === undefined) continue;
    const { status = '', name = '' } = groups;
    const meaning = always ?? statuses[status];
    if (meaning !== undefined) found.set(rename ? rename(name, meaning) : name, meaning);
    return;
  }
}

const PASS_FAIL = { PASS: 'PASSED', FAIL: 'FAILED', SKIP: 'SKIPPED' } as const;

export const gotest = byLine({
  pattern: /^--- (?<status>PASS|FAIL|SKIP): (?<name>.+) \(.+\)$/s,
  statuses: PASS_FAIL,
});

export const cargo = byLine({
  pattern: /^test\s+(?<name>\S+)\s+\.\.\.\s+(?<status>\w+)$/,
  statuses: { ok: 'PASSED', FAILED: 'FAILED' },
});

export const redis = byLine({
  pattern: /^\[(?<status>ok|err|skip|ignore)\]:\s(?<name>.+?)(?:\s\(\d+\s*m?s\))?$/s,
  statuses: { ok: 'PASSED', err: 'FAILED', skip: 'SKIPPED', ignore: 'SKIPPED' },
  rename: (name, status) => (status === 'FAILED' ? name.replace(/\s+in\s+\S+$/, '') : name),
});

export const jq = byLine({
  pattern: /^(?<status>PASS|FAIL):\s(?<name>.+)$/s,
  statuses: PASS_FAIL,
});

export const micropython = byLine({
  pattern: /^(?<status>pass|FAIL|skip)\s+(?<name>.+)$/s,
  statuses: { pass: 'PASSED', FAIL: 'FAILED', skip: 'SKIPPED' },
});

export const googletest = byLine({
  pattern: /^.*\[\s*(?<status>OK|FAILED)\s*\]\s(?<name>.*)\s\(.*\)$/s,
  statuses: { OK: 'PASSED', FAILED: 'FAILED' },
});

export const ant = byLine({
  pattern: /^\[junit\]\s+\[(?<status>PASS|FAIL|ERR)\]\s+(?<name>.*)$/s,
  statuses: { PASS: 'PASSED', FAIL: 'FAILED', ERR: 'FAILED' },
});

export const cucumber = byLine({
  pattern: /^(?<name>.*) \.+(?<status>\.|F)/s,
  statuses: { '.': 'PASSED', F: 'FAILED' },
});

export const rubyUnit = byLine({
  pattern: /^(?:test: )?(?<name>.+):\s+(?<status>\.|E\b|F\b|O\b)/s,
  statuses: { '.': 'PASSED', E: 'FAILED', F: 'FAILED', O: 'SKIPPED' },
});

export const rspecJson = byLine({
  pattern: /^(?<name>.+) - (?<status>passed|failed)/s,
  statuses: { passed: 'PASSED', failed: 'FAILED' },
});

export const jest = byLine({
  pattern: /^(?<status>✓|✕|○)\s(?<name>.+?)(?:\s\(\d+\s*m?s\))?$/s,
  statuses: { '✓': 'PASSED', '✕': 'FAILED', '○': 'SKIPPED' },
  rename: (name) => name.trim(),
});

export const jestJson = byLine({
  pattern: /^\[(?<status>PASSED|FAILED)\]\s(?<name>.+)$/s,
  statuses: { PASSED: 'PASSED', FAILED: 'FAILED' },
});

export const vitest = byLine({
  pattern: /^(?<status>✓|×|↓)\s(?<name>.+?)(?:\s(?:\d+\s*m?s?|\[skipped\]))?$/s,
  statuses: { '✓': 'PASSED', '×': 'FAILED', '↓': 'SKIPPED' },
});

export const tap = byLine({
  pattern: /^(?<status>ok|not ok) \d+ (?<name>.+)$/s,
  statuses: { ok: 'PASSED', 'not ok': 'FAILED' },
});

/** Names are files, with the time behind them or not. */
export const jestFiles = byLine(
  ...[/\s\([\d.]+ms\)/, /\s\([\d.]+\ss\)/, /\s\([\d.]+s\)/, /(?:)/].flatMap((time) => [
    {
      pattern: new RegExp(`^(?<status>PASS|FAIL)\\s(?<name>.*)${time.source}`, 's'),
      statuses: PASS_FAIL,
      trim: false,
    },
  ]),
);

/** jest's files again; a bare `FAIL` tells of what the next line names. */
export const grommet: LogParser = (log) => {
  const found: Results = new Map();
  for (const status of ['FAIL', 'PASS'] as const) {
    for (const match of log.matchAll(new RegExp(`^${status}\\s([^\\n]*)`, 'gm'))) {
      const name = (match[1] ?? '').trim().replace(/\s\([\d.]+\s?(?:ms|s)\)$/, '');
      found.set(name, PASS_FAIL[status]);
    }
  }
  return found;
};

export const marked = byLine({
  pattern: /^\d+\)\s(?<name>.*)/s,
  always: 'FAILED',
  trim: false,
  rename: (name) => name.trim(),
});
