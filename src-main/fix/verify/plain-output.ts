import { MAX_TESTS, testResult, type TestResult } from './test-results.ts';

type Status = TestResult['status'];

// oxlint-disable-next-line no-control-regex -- colours of a runner are control sequences
const COLOUR = /\u001B\[[0-9;]*m/g;

/** A longer line is no runner's, and would only make the patterns below slow. */
const MAX_LINE_CHARS = 4_000;

/** The lines of a runner's output without colours. */
export function outputLines(output: string): string[] {
  const lines = output.replace(COLOUR, '').split(/\r?\n/);
  return lines.filter((line) => line.length <= MAX_LINE_CHARS);
}

const PYTEST_WORDS: Record<string, Status> = {
  PASSED: 'passed',
  XPASS: 'passed',
  FAILED: 'failed',
  ERROR: 'error',
  SKIPPED: 'skipped',
  XFAIL: 'skipped',
};

/** Tests that pytest's verbose lines (`id PASSED [ 5%]`) and its summary (`FAILED id - why`) name. */
function namedByPytest(output: string): TestResult[] {
  const found = new Map<string, Status>();
  for (const line of outputLines(output)) {
    const verbose =
      /^(\S+\.py(?:::.+?)?) (PASSED|XPASS|FAILED|ERROR|SKIPPED|XFAIL)(?: \(.*\))?(?: +\[ *\d+%\])?$/.exec(
        line,
      );
    const summary = verbose
      ? null
      : /^(PASSED|XPASS|XFAIL|FAILED|ERROR) (\S+\.py(?:::.*?)?)(?: - .*)?$/.exec(line);
    const [id, word] = verbose ? [verbose[1], verbose[2]] : [summary?.[2], summary?.[1]];
    const status = PYTEST_WORDS[word ?? ''];
    if (id !== undefined && status !== undefined && found.size < MAX_TESTS) found.set(id, status);
  }
  return [...found].map(([name, status]) => testResult(name, status));
}

/** Counts of pytest's last lines (`1 failed, 2 passed in 0.1s`), one for each time it ran. */
function pytestSummaries(output: string): { passed: number; bad: number }[] {
  const last = outputLines(output).filter((line) =>
    /^=* ?(?:\d+ [a-z]+(?:, )?)+ in [\d.]+s(?: \([\d:]+\))? ?=*$/.test(line),
  );
  return last.map((line) => {
    const count = (words: RegExp): number =>
      [...line.matchAll(/(\d+) ([a-z]+)/g)]
        .filter(([, , word]) => words.test(word ?? ''))
        .reduce((sum, [, number]) => sum + Number(number), 0);
    return { passed: count(/^x?passed$/), bad: count(/^(failed|errors?)$/) };
  });
}

/** Counts of pytest's very last line; `undefined` when it printed none. */
export function pytestCounts(output: string): { passed: number; bad: number } | undefined {
  return pytestSummaries(output).at(-1);
}

/**
 * Tests of a verbose pytest. Empty when it does not name as many passed tests as it counts: a
 * missing test would then be no sign of anything.
 */
export function parsePytestOutput(output: string): TestResult[] {
  const tests = namedByPytest(output);
  const counted = pytestSummaries(output).reduce((sum, { passed }) => sum + passed, 0);
  return tests.filter(({ status }) => status === 'passed').length === counted ? tests : [];
}

/** Names of the enclosing tests, by depth; indentation is how both of node's reporters nest. */
function pathAt(stack: string[], depth: number, name: string): string {
  stack.length = Math.min(stack.length, Math.floor(depth));
  return [...stack, name].join(' > ');
}

function enter(stack: string[], depth: number, name: string): void {
  stack.length = Math.min(stack.length, Math.floor(depth));
  stack.push(name);
}

/** TAP as `node --test --test-reporter=tap` prints it; output of the tests is behind `#`. */
function parseTap(output: string): TestResult[] {
  const results: TestResult[] = [];
  const stack: string[] = [];
  for (const line of outputLines(output)) {
    const opened = /^( *)# Subtest: (.*)$/.exec(line);
    if (opened) {
      enter(stack, (opened[1] ?? '').length / 4, opened[2] ?? '');
      continue;
    }
    const ended = /^( *)(not ok|ok) \d+(?: - (.*?))?(?: # (SKIP|TODO).*)?$/.exec(line);
    if (!ended || results.length >= MAX_TESTS) continue;
    const name = pathAt(stack, (ended[1] ?? '').length / 4, ended[3] ?? '');
    const status = ended[2] === 'ok' ? 'passed' : 'failed';
    results.push(testResult(name, ended[4] === undefined ? status : 'skipped'));
  }
  return results;
}

const SPEC_MARKS: Record<string, Status> = {
  '✔': 'passed',
  '✖': 'failed',
  '﹣': 'skipped',
  '⚠': 'skipped',
};

/** The `spec` reporter of node's runner. */
function parseSpec(output: string): TestResult[] {
  const results: TestResult[] = [];
  const stack: string[] = [];
  for (const line of outputLines(output)) {
    // Every failure is printed once more below.
    if (line === '✖ failing tests:') break;
    const found = /^( *)(▶|✔|✖|﹣|⚠) (.*?)(?: \([\d.]+ms\))?(?: # .*)?$/.exec(line);
    if (!found || results.length >= MAX_TESTS) continue;
    const [, indent = '', mark = '', name = ''] = found;
    const depth = indent.length / 2;
    const status = SPEC_MARKS[mark];
    if (status !== undefined) results.push(testResult(pathAt(stack, depth, name), status));
    else enter(stack, depth, name);
  }
  return results;
}

/** Tests and suites of node's own runner, named `suite > test`. */
export function parseNodeOutput(output: string): TestResult[] {
  return /^TAP version \d+$/m.test(output) ? parseTap(output) : parseSpec(output);
}
