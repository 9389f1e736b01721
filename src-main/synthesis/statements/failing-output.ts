import { HIDDEN } from '../../contract/index.ts';

const MAX_CHARS = 2_000;
const MAX_LINES = 30;
const MAX_LINE = 300;
/** Lines without marks of an assertion that are taken from the end. */
const LAST = 6;

const TELLING =
  /error|exception|assert|panic|expected|received|obtained|\bgot\b|\bwant|actual|fail|not equal|mismatch|[!=]==?/i;
/** Where in the code it went wrong: the person who solves the task is to find that out. */
const FRAME =
  /^\s*(?:File ".*", line \d+|at .*(?:\(.*:\d+|:\d+:\d+)|\S+\.(?:py|go|[cm]?[jt]sx?):\d+:?\s*(?:in \S.*)?$|goroutine \d+|-{3,}|={3,}|_{3,})/;

/** Text without hidden characters and escape sequences of terminals. */
export function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex -- what terminals obey is what is taken out
  const bare = text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '').replaceAll('\r\n', '\n');
  return bare.replace(HIDDEN, '');
}

/**
 * The part of a runner's output that says what was expected and what came, without where in the
 * code: pytest's `E` lines, or the lines that speak of an error. 2,000 characters at most.
 */
export function assertionPart(output: string): string {
  const lines = plain(output).split('\n');
  const marked = lines.filter((line) => /^E(?:\s|$)/.test(line)).map((line) => line.slice(1));
  const chosen = marked.length > 0 ? marked : tellingLines(lines);
  return cut(withoutMargin(chosen));
}

function tellingLines(lines: readonly string[]): string[] {
  const bare = lines
    .filter((line) => line.trim() !== '' && !FRAME.test(line))
    // Go's and compilers' messages begin with the place.
    .map((line) => line.replace(/^(\s*)\S+\.\w{1,4}:\d+(?::\d+)?:\s+/, '$1'));
  const telling = bare.filter((line) => TELLING.test(line));
  return telling.length > 0 ? telling : bare.slice(-LAST);
}

function withoutMargin(lines: readonly string[]): string[] {
  const margins = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const margin = Math.min(...margins, 40);
  return lines.map((line) => line.slice(margin).trimEnd());
}

function cut(lines: readonly string[]): string {
  const kept: string[] = [];
  let size = 0;
  for (const line of lines.slice(0, MAX_LINES)) {
    const short = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
    if (size + short.length + 1 > MAX_CHARS) break;
    size += short.length + 1;
    kept.push(short);
  }
  return kept.join('\n').replace(/^\n+|\s+$/g, '');
}

/** What an assertion says in one line each; `null` = it does not say. */
export interface Assertion {
  exception: string | null;
  expected: string | null;
  got: string | null;
}

const VALUE = 120;

/**
 * Reads exception, expected and got from an assertion's text. The words of other exceptions are about
 * their own cause, and values that are cut may look the same: nothing is read from those.
 */
export function readAssertion(text: string): Assertion {
  const exception =
    /^(?:[\w.]*\.)?([A-Z]\w*(?:Error|Exception|Warning|Panic|Exit|Interrupt))\b/m.exec(text)?.[1] ??
    (/^panic:/m.test(text) ? 'panic' : null);
  const none = { exception, expected: null, got: null };
  if (exception !== null && exception !== 'AssertionError') return none;
  const pairs: readonly [RegExp, 'got' | 'expected'][] = [
    [/^(?:AssertionError: )?assert (.+?) == (.+)$/m, 'got'],
    [/^\s*Expected:?\s+(.+)\n\s*Received:?\s+(.+)$/m, 'expected'],
    [/^\s*expected: (.+)\n\s*actual: (.+)$/m, 'expected'],
    [/^\.\.\. obtained \S+ = (.+)\n\.\.\. expected \S+ = (.+)$/m, 'got'],
    [/^got: (.+)\nwant: (.+)$/m, 'got'],
    [/\bgot:? (.+?)[,;] want(?:ed)?:? (.+)$/m, 'got'],
    [/\bexpected:? (.+?)[,;]? (?:but )?got:? (.+)$/im, 'expected'],
  ];
  for (const [pattern, first] of pairs) {
    const [, one = '', other = ''] = pattern.exec(text) ?? [];
    if (one === '' || other === '' || one.length > VALUE || other.length > VALUE) continue;
    if (one.trim() === other.trim()) return none;
    const [got, expected] = first === 'got' ? [one, other] : [other, one];
    return { exception, expected: expected.trim(), got: got.trim() };
  }
  return none;
}
