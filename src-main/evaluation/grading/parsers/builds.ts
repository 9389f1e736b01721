import type { TestStatus } from '../../../contract/index.ts';
import type { LogParser, Results } from './types.ts';

/** Tools whose results stand apart from the names, or in a form of their own. */

const STATUSES = {
  SUCCESS: 'PASSED',
  FAILURE: 'FAILED',
  PASSED: 'PASSED',
  FAILED: 'FAILED',
} as const;

/**
 * Maven names no passed test: each is run alone, and the shell's trace of `-Dtest=NAME` belongs to
 * the next `BUILD ...`. Both come in the same order, not always in turn.
 */
export const maven: LogParser = (log) => {
  const found: Results = new Map();
  const waiting: string[] = [];
  const early: TestStatus[] = [];
  for (const whole of log.split('\n')) {
    const line = whole.trim();
    const mark = line.lastIndexOf('-Dtest=');
    const name = mark < 0 ? undefined : /^\S+/.exec(line.slice(mark + 7))?.[0];
    if (name !== undefined) waiting.push(name);
    const result = /BUILD (SUCCESS|FAILURE)$/.exec(line)?.[1] as keyof typeof STATUSES | undefined;
    if (result === undefined) continue;
    const next = waiting.shift();
    if (next === undefined) early.push(STATUSES[result]);
    else found.set(next, STATUSES[result]);
  }
  for (const [at, name] of waiting.entries()) {
    const status = early[at];
    if (status !== undefined) found.set(name, status);
  }
  return found;
};

/** `CLASS > TEST PASSED`; other output can come between name and result. */
export const gradle: LogParser = (log) => {
  const found: Results = new Map();
  let waiting: string | undefined;
  for (const whole of log.split('\n')) {
    const line = whole.trim();
    const status = (['PASSED', 'FAILED'] as const).find((word) => line.endsWith(word));
    const name = status === undefined ? undefined : nameBefore(line, status);
    if (status !== undefined && name !== undefined) {
      found.set(name, status);
      waiting = undefined;
    } else if (/^[^>]\S*\s+>\s+\S+$/.test(line)) waiting = line;
    else if (waiting !== undefined && line === status) {
      found.set(waiting, status);
      waiting = undefined;
    }
  }
  return found;
};

function nameBefore(line: string, status: string): string | undefined {
  const name = line.slice(0, -status.length - 1);
  const apart = /\s/.test(line.charAt(name.length));
  return apart && name.length >= 2 && !name.startsWith('>') ? name : undefined;
}

/** minitest: `NAME. 0.01 s = .`; the name ends at the last dot before the last `=` that counts. */
export const minitest: LogParser = (log) => {
  const found: Results = new Map();
  for (const whole of log.split('\n')) {
    const line = whole.trim();
    const at = Math.max(...['.', 'F', 'E'].map((mark) => line.lastIndexOf(mark)));
    const equals = at < 0 ? -1 : line.lastIndexOf('=', at - 1);
    const end = equals < 2 ? -1 : line.lastIndexOf('. ', equals - 2);
    if (end < 1 || at === 0) continue;
    found.set(line.slice(0, end), line.charAt(at) === '.' ? 'PASSED' : 'FAILED');
  }
  return found;
};

const MOCHA_JSON = './node_modules/.bin/mocha tests/run.js --reporter json';

/** mocha's JSON after the trace of its command. */
export const prismjs: LogParser = (log) => {
  const found: Results = new Map();
  for (const run of log.split(MOCHA_JSON).slice(1)) {
    const [start, end] = [run.indexOf('{'), run.lastIndexOf('}')];
    if (start < 0 || end < start) continue;
    const report = parsed(run.slice(start, end + 1));
    for (const [member, status] of [
      ['failures', 'FAILED'],
      ['passes', 'PASSED'],
    ] as const) {
      for (const title of titles(report?.[member])) found.set(title, status);
    }
  }
  return found;
};

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function titles(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown) => {
    const title = typeof item === 'object' && item !== null && 'fullTitle' in item;
    return title && typeof item.fullTitle === 'string' ? [item.fullTitle] : [];
  });
}

/** mocha's JSON as lighthouse 2 prints it, read by its lines: it is not always whole. */
export const lighthouseJson: LogParser = (log) => {
  const found: Results = new Map();
  for (const run of log.split('./node_modules/.bin/mocha --reporter json').slice(1)) {
    const take = (from: string, to: string, status: TestStatus): void => {
      const told = run.split(from).at(-1) ?? '';
      const end = told.lastIndexOf(to);
      const part = end < 0 ? told : told.slice(0, end);
      for (const match of part.matchAll(/"fullTitle":\s"([^\n]*)",\n/g)) {
        found.set(match[1] ?? '', status);
      }
    };
    take('"passes": [', ']', 'PASSED');
    take('"failures": [', '],', 'FAILED');
  }
  return found;
};

/** deno test of quarto-cli; names of temporary files become numbers in the order they come. */
export const quarto: LogParser = (log) => {
  const found: Results = new Map();
  const numbers = new Map<string, number>();
  for (const whole of log.split('\n')) {
    if (/ERRORS|failures:/.test(whole)) break;
    if (!/\[(?:smoke|unit)\]/.test(whole)) continue;
    const line = numbered(whole, numbers);
    const [before = ''] = line.split('...');
    const name = before.trim();
    const summary = ['passed', 'failed', 'steps'].every((word) => line.includes(word));
    if (line.startsWith('test result:') || summary || line.includes('34mINFO')) continue;
    if (line.includes('32mok')) found.set(name, 'PASSED');
    else if (line.includes('31mFAILED') || !found.has(name)) found.set(name, 'FAILED');
  }
  return found;
};

function numbered(whole: string, numbers: Map<string, number>): string {
  let line = whole;
  for (const pattern of [/\/tmp\/(\w+)\.qmd/g, /\/tmp\/(\w+)\//g]) {
    const first = line.match(pattern)?.[0];
    if (first === undefined) continue;
    const number = numbers.get(first) ?? numbers.size;
    numbers.set(first, number);
    line = line.replace(pattern, `/tmp/${number}`);
  }
  return line;
}
