import type { TestStatus } from '../../../contract/index.ts';
import { words } from './lines.ts';
import type { LogParser, Results } from './types.ts';

const STATUSES = ['FAILED', 'PASSED', 'SKIPPED', 'ERROR', 'XFAIL'] as const;

/** The status a line begins with; the word itself may go on (`ERRORS`), then it is no status. */
function leading(line: string): TestStatus | undefined {
  return STATUSES.find((status) => line.startsWith(status));
}

function asStatus(word: string | undefined): TestStatus | undefined {
  return STATUSES.find((status) => status === word);
}

/** `SKIPPED [3] tests/a.py:1: reason` counts tests and names none. */
function isSkipCount(status: string | undefined, name: string | undefined): boolean {
  return status === 'SKIPPED' && /^\[\d+\]$/.test(name ?? '');
}

/** A word that only begins like a status (`ERROR:`) is none, and unsays what was told before. */
function tell(found: Results, name: string, word: string | undefined): void {
  const status = asStatus(word);
  if (status === undefined) found.delete(name);
  else found.set(name, status);
}

/** Lines of pytest's short summary: `STATUS NAME`, of a failure with ` - MESSAGE` behind it. */
function shortSummary(log: string, rename: (name: string) => string): Results {
  const found: Results = new Map();
  for (const line of log.split('\n')) {
    if (leading(line) === undefined) continue;
    const plain = line.startsWith('FAILED') ? line.replaceAll(' - ', ' ') : line;
    const [word, name] = words(plain);
    if (name === undefined || isSkipCount(word, name)) continue;
    tell(found, rename(name), word);
  }
  return found;
}

export const pytest: LogParser = (log) => shortSummary(log, (name) => name);

/** Parameters that are paths differ by machine: only their last part stays. */
export const pytestOptions: LogParser = (log) =>
  shortSummary(log, (name) => {
    const [open, close] = [name.indexOf('['), name.lastIndexOf(']')];
    if (open < 0 || close < open) return name;
    const option = name.slice(open + 1, close);
    const isPath = option.startsWith('/') && !option.startsWith('//') && !option.includes('*');
    const short = isPath ? `/${option.slice(option.lastIndexOf('/') + 1)}` : option;
    return `${name.slice(0, open)}[${short}]`;
  });

/** Mouse buttons print differently in versions of Python. */
export const matplotlib: LogParser = (log) =>
  pytest(log.replaceAll('MouseButton.LEFT', '1').replaceAll('MouseButton.RIGHT', '3'), NO_FACTS);

const NO_FACTS = { instanceId: '', version: '' };
// oxlint-disable-next-line no-control-regex -- what colours and progress bars are made of
const CONTROL = /[\u0001-\u001f]/g;

/** With colours, with names that hold blanks, and the older form with the status at the end. */
export const pytestV2: LogParser = (log) => {
  const found: Results = new Map();
  for (const raw of log.split('\n')) {
    const line = raw.replace(/\[\d+m/g, '').replace(CONTROL, '');
    if (leading(line) !== undefined) {
      const [plain = ''] = line.startsWith('FAILED') ? line.split(' - ', 1) : [line];
      const [word, ...name] = words(plain);
      if (name.length === 0 || isSkipCount(word, name[0])) continue;
      tell(found, name.join(' '), word);
      continue;
    }
    if (!STATUSES.some((status) => line.endsWith(status))) continue;
    const all = words(line);
    if (all.length >= 2) tell(found, all.slice(0, -1).join(' '), all.at(-1));
  }
  return found;
};

export const seaborn: LogParser = (log) => {
  const found: Results = new Map();
  for (const line of log.split('\n')) {
    const [first, second] = words(line);
    if (first === undefined || second === undefined) continue;
    if (line.startsWith('FAILED')) found.set(second, 'FAILED');
    else if (line.includes(' PASSED ')) {
      if (second === 'PASSED') found.set(first, 'PASSED');
    } else if (line.startsWith('PASSED')) found.set(second, 'PASSED');
  }
  return found;
};
