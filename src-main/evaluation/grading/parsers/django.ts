import type { LogParser, Results } from './types.ts';
import { words } from './lines.ts';

const PASSES = [' ... ok', ' ... OK', ' ...  OK'] as const;
const VERSION_TEST = '--version is equivalent to version';
/** The result of one test of 2016 stands on the line of a migration. */
const MIGRATION = 'Applying sites.0002_alter_domain_unique...test_no_migrations';

/** Output of the tests themselves between the name of a test and its `ok`. */
const INTERRUPTED = [
  /^([^\n]*?)\s\.\.\.\sTesting against Django installed in [^]*? silenced\)\.\nok$/gm,
  /^([^\n]*?)\s\.\.\.\sInternal Server Error: \/[^\n]*\/\nok$/gm,
  /^([^\n]*?)\s\.\.\.\sSystem check identified no issues \(0 silenced\)\nok$/gm,
] as const;

const MOST_INTERRUPTED = 50;

/** Django's runner with `--verbosity 2`: `NAME (CLASS) ... ok`, and headings of what failed. */
export const django: LogParser = (log) => {
  const found: Results = new Map();
  let last: string | undefined;
  for (const line of log.split('\n')) last = takeLine(line.trim(), last, found);
  // A real log holds a few; each that does not end is looked for up to the end of the log.
  if (log.split(' ... Testing against Django').length > MOST_INTERRUPTED) return found;
  for (const pattern of INTERRUPTED) {
    for (const match of log.matchAll(pattern)) found.set(match[1] ?? '', 'PASSED');
  }
  return found;
};

function takeLine(whole: string, before: string | undefined, found: Results): string | undefined {
  let line = whole;
  if (line.includes(VERSION_TEST)) found.set(VERSION_TEST, 'PASSED');
  const last = line.includes(' ... ') ? upTo(line, ' ... ') : before;
  const pass = PASSES.find((suffix) => line.endsWith(suffix));
  if (pass !== undefined) {
    if (line.startsWith(MIGRATION)) line = line.slice(line.indexOf('...') + 3).trim();
    found.set(line.slice(0, line.lastIndexOf(pass)), 'PASSED');
  }
  if (line.includes(' ... skipped')) found.set(upTo(line, ' ... skipped'), 'SKIPPED');
  for (const [word, status] of [
    ['FAIL', 'FAILED'],
    ['ERROR', 'ERROR'],
  ] as const) {
    if (line.endsWith(` ... ${word}`)) found.set(upTo(line, ` ... ${word}`), status);
    const name = line.startsWith(`${word}:`) ? words(line)[1] : undefined;
    if (name !== undefined) found.set(name, status);
  }
  if (line.startsWith('ok') && last !== undefined) found.set(last, 'PASSED');
  return last;
}

function upTo(line: string, mark: string): string {
  return line.slice(0, line.indexOf(mark));
}

const SYMPY = { ' E': 'ERROR', ' F': 'FAILED', ' ok': 'PASSED' } as const;

/** sympy's `bin/test -C --verbose`: `test_NAME ok`, and a ruled heading `FILE.py:TEST` per failure. */
export const sympy: LogParser = (log) => {
  const found: Results = new Map();
  const lines = log.split('\n');
  for (const line of lines) {
    const name = headingOf(line);
    if (name !== undefined) found.set(name, 'FAILED');
  }
  for (const whole of lines) {
    const line = whole.trim();
    if (!line.startsWith('test_')) continue;
    const [name = ''] = words(line);
    for (const [end, status] of Object.entries(SYMPY)) {
      if (line.endsWith(end)) found.set(name, status);
    }
  }
  return found;
};

/** What stands between the first and the last blank, if it names a file and a test in it. */
function headingOf(line: string): string | undefined {
  const [first, last] = [line.indexOf(' '), line.lastIndexOf(' ')];
  const mark = line.lastIndexOf('.py:', last - 4);
  return first < 0 || mark <= first ? undefined : line.slice(first + 1, last);
}
