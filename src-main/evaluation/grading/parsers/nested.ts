import type { TestStatus } from '../../../contract/index.ts';
import type { LogParser, Results } from './types.ts';

/** Headings above a test, told by their indentation. */
class Suites {
  private readonly open: { name: string; indent: number }[] = [];

  /** A line that is no test; only an indented one is a heading. */
  take(line: string): void {
    const indent = line.length - line.trimStart().length;
    if (indent === 0) return;
    while ((this.open.at(-1)?.indent ?? -1) >= indent) this.open.pop();
    this.open.push({ name: line.trim(), indent });
  }

  names(): string[] {
    return this.open.map(({ name }) => name);
  }
}

/** jest of wp-calypso, run once for each of several folders. */
export const calypso: LogParser = (log) => {
  const found: Results = new Map();
  const suites = new Suites();
  for (const run of log.split(' ./node_modules/.bin/jest ').slice(1)) {
    for (const line of run.split('\n')) {
      if (line.startsWith('Test Suites') || line.startsWith('  ● ')) break;
      const mark = line.trim().charAt(0);
      const status = ({ '✓': 'PASSED', '✕': 'FAILED' } as const)[mark];
      if (status === undefined) {
        suites.take(line);
        continue;
      }
      const timed = /\(\d+ms\)/.test(line);
      const name = (timed ? /^\s+.\s(.*)\(\d+ms\)$/s : /^\s+.\s(.*)/s).exec(line)?.[1];
      if (name === undefined) continue;
      found.set(`${suites.names().join(' - ')} - ${name}`.trim(), status);
    }
  }
  return found;
};

const MOCHA: readonly [RegExp, TestStatus][] = [
  [/^✔\s(.*)\s\(\d+m+s\)/s, 'PASSED'],
  [/^✔\s(.*)/s, 'PASSED'],
  [/^\d+\)\s(.*)\s\(\d+m+s\)/s, 'FAILED'],
  [/^\d+\)\s(.*)/s, 'FAILED'],
];

/** mocha as lighthouse runs it since version 9. */
export const lighthouseMocha: LogParser = (log) => {
  const found: Results = new Map();
  for (const run of log.split(/running\s\d+\stest\sfiles/).slice(1)) {
    const suites = new Suites();
    const [told = ''] = run.split(/\d+\spassing/);
    for (const line of told.trim().split('\n')) {
      const form = MOCHA.find(([pattern]) => pattern.test(line.trim()));
      const name = form?.[0].exec(line.trim())?.[1];
      if (form === undefined || name === undefined) suites.take(line);
      else found.set([...suites.names(), name].join(' - '), form[1]);
    }
  }
  return found;
};

const NOISE = ['ERROR', 'LOG', 'WARN', 'Check', 'in'] as const;

/** karma of alibaba-fusion/next before version 1.27. */
export const nextKarma: LogParser = (log) => {
  const found: Results = new Map();
  const suites = new Suites();
  const plain = withoutColours(log).replace(/AssertionError:\s+#[^]*?\n\n/g, '');
  for (const run of plain.split(' xvfb-run ').slice(1)) {
    const told = run.split('Starting browser Chrome').at(-1) ?? '';
    for (const line of told.split('\n')) {
      if (line.startsWith('TOTAL')) break;
      if (NOISE.some((word) => line.trim().startsWith(word))) continue;
      const mark = ['✗', '✓'].find((one) => line.includes(one));
      if (mark === undefined) {
        suites.take(line);
        continue;
      }
      const name = line.slice(line.indexOf(mark) + 1).trimStart();
      const status = mark === '✗' ? 'FAILED' : 'PASSED';
      found.set([...suites.names(), name].join(' - '), status);
    }
  }
  return found;
};

/** cypress of alibaba-fusion/next 1.27: one heading for each file. */
export const nextCypress: LogParser = (log) => {
  const found: Results = new Map();
  const parts = log.split(/Running:[^\n]*\)\n{3}\s{2}([^\n]*)\n/);
  for (let at = 1; at + 1 < parts.length; at += 2) {
    const [suite = '', told = ''] = parts.slice(at, at + 2);
    for (const match of told.matchAll(/^\s{4}\d+\)\s([^\n]*)/gm)) {
      found.set(`${suite}: ${(match[1] ?? '').trim()}`, 'FAILED');
    }
    for (const match of told.matchAll(/^\s{4}✓\s([^\n]*)\(/gm)) {
      found.set(`${suite}: ${(match[1] ?? '').trim()}`, 'PASSED');
    }
  }
  return found;
};

/** mocha of highlight.js: the last indented line above a test is its heading. */
export const highlightjs: LogParser = (log) => {
  const found: Results = new Map();
  let suite: string[] = [];
  const [told = ''] = log.split(/\n[ \t]*\d+ passing/);
  for (const line of told.split('\n')) {
    const [, mark, rest = ''] = /^\s*(✓|✔|\d+\))(.*)$/s.exec(line) ?? [];
    if (mark !== undefined) {
      const name = rest.replace(/\(\d+ms\)/g, '').trim();
      found.set([...suite, name].join('.'), mark.endsWith(')') ? 'FAILED' : 'PASSED');
    } else if (line.startsWith('  ')) suite = [line.trim()];
  }
  return found;
};

/** Karma with its mocha reporter, from the start of the browser to the summary. */
export const karma: LogParser = (log) => {
  const found: Results = new Map();
  const suites: string[] = [];
  let depth = -1;
  let started = false;
  for (const line of log.split('\n')) {
    if (line.startsWith('SUMMARY:')) break;
    if (line.includes('Starting browser')) started = true;
    else if (started) depth = takeKarma(line, { suites, depth, found });
  }
  return found;
};

function takeKarma(
  line: string,
  { suites, depth, found }: { suites: string[]; depth: number; found: Results },
): number {
  const match = /^(\s*)([✔✖])?\s(.*)$/s.exec(line);
  if (match === null) return depth;
  const [, indent = '', mark, name = ''] = match;
  if (mark !== undefined) {
    found.set([...suites, name].join(' > '), mark === '✔' ? 'PASSED' : 'FAILED');
    return depth;
  }
  if (indent === '' || indent.length === depth) return depth;
  if (indent.length > depth) suites.push(name);
  else suites.pop();
  return indent.length;
}

/** PHPUnit with `--testdox`: the class, then its tests. */
export const phpunit: LogParser = (log) => {
  const found: Results = new Map();
  const statuses = { '✔': 'PASSED', '✘': 'FAILED', '↩': 'SKIPPED' } as const;
  // The original writes the missing heading in Python's word for it.
  let suite = 'None';
  for (const line of log.split('\n')) {
    const heading = /^([\p{L}\p{N}_].+) \(.+\)$/su.exec(line)?.[1];
    if (heading !== undefined) {
      suite = heading;
      continue;
    }
    const match = /^\s*([✔✘↩])\s*(.*)$/s.exec(line);
    if (match === null) continue;
    const status = statuses[match[1] as keyof typeof statuses];
    found.set(`${suite} > ${match[2] ?? ''}`, status);
  }
  return found;
};

// oxlint-disable-next-line no-control-regex -- an escape sequence begins with one
const COLOURS = /\u001b(?:[@-Z\\-_]|\[[0-?]*[ -/]*[@-~])/g;

export function withoutColours(log: string): string {
  return log.replace(COLOURS, '');
}
