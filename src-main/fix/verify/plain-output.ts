import { MAX_TESTS, testResult, type TestResult } from './test-results.ts';

type Status = TestResult['status'];

// oxlint-disable-next-line no-control-regex -- colours of a runner are control sequences
const COLOUR = /\u001B\[[0-9;]*m/g;

function lines(output: string): string[] {
  return output.replace(COLOUR, '').split(/\r?\n/);
}

const PYTEST_WORDS: Record<string, Status> = {
  PASSED: 'passed',
  XPASS: 'passed',
  FAILED: 'failed',
  ERROR: 'error',
  SKIPPED: 'skipped',
  XFAIL: 'skipped',
};

/** Tests named by pytest's verbose lines (`id PASSED [ 5%]`) and its summary (`FAILED id - why`). */
export function parsePytestOutput(output: string): TestResult[] {
  const found = new Map<string, Status>();
  for (const line of lines(output)) {
    const verbose =
      /^(\S+\.py(?:::.+?)?) (PASSED|XPASS|FAILED|ERROR|SKIPPED|XFAIL)(?: \(.*\))?(?: +\[ *\d+%\])?$/.exec(line);
    const summary = verbose ? null : /^(PASSED|FAILED|ERROR) (\S+\.py\S*(?: \S+\])?)(?: - .*)?$/.exec(line);
    const [id, word] = verbose ? [verbose[1], verbose[2]] : [summary?.[2], summary?.[1]];
    const status = PYTEST_WORDS[word ?? ''];
    if (id !== undefined && status !== undefined && found.size < MAX_TESTS) found.set(id, status);
  }
  return [...found].map(([name, status]) => testResult(name, status));
}

/** Counts of pytest's last line (`1 failed, 2 passed in 0.1s`); `undefined` when there is none. */
export function pytestCounts(output: string): { passed: number; bad: number } | undefined {
  const last = lines(output).findLast((line) =>
    /^=* ?(?:\d+ [a-z]+(?:, )?)+ in [\d.]+s(?: \([\d:]+\))? ?=*$/.test(line),
  );
  if (last === undefined) return undefined;
  const count = (words: RegExp): number =>
    [...last.matchAll(/(\d+) ([a-z]+)/g)]
      .filter(([, , word]) => words.test(word ?? ''))
      .reduce((sum, [, number]) => sum + Number(number), 0);
  return { passed: count(/^passed$/), bad: count(/^(failed|errors?)$/) };
}

/** Names of the enclosing tests, by depth; indentation is how both of node's reporters nest. */
function pathAt(stack: string[], depth: number, name: string): string {
  stack.length = Math.min(stack.length, depth);
  return [...stack.filter((part) => part !== undefined), name].join(' > ');
}

/** TAP as `node --test --test-reporter=tap` prints it; output of the tests is behind `#`. */
function parseTap(output: string): TestResult[] {
  const results: TestResult[] = [];
  const stack: string[] = [];
  for (const line of lines(output)) {
    const opened = /^( *)# Subtest: (.*)$/.exec(line);
    if (opened) {
      const depth = (opened[1] ?? '').length / 4;
      stack.length = Math.min(stack.length, depth);
      stack[depth] = opened[2] ?? '';
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
  for (const line of lines(output)) {
    // Every failure is printed once more below.
    if (line === '✖ failing tests:') break;
    const found = /^( *)(▶|✔|✖|﹣|⚠) (.*?)(?: \([\d.]+ms\))?(?: # .*)?$/.exec(line);
    if (!found || results.length >= MAX_TESTS) continue;
    const [, indent = '', mark = '', name = ''] = found;
    const depth = indent.length / 2;
    const status = SPEC_MARKS[mark];
    if (status !== undefined) results.push(testResult(pathAt(stack, depth, name), status));
    stack.length = Math.min(stack.length, depth);
    if (status === undefined) stack[depth] = name;
  }
  return results;
}

/** Tests and suites of node's own runner, named `suite > test`. */
export function parseNodeOutput(output: string): TestResult[] {
  return /^TAP version \d+$/m.test(output) ? parseTap(output) : parseSpec(output);
}

const GO_WORDS: Record<string, Status> = {
  PASS: 'passed',
  pass: 'passed',
  FAIL: 'failed',
  fail: 'failed',
  SKIP: 'skipped',
  skip: 'skipped',
};

/** `go test -v`: the package's name comes after its tests. */
function parseGoVerbose(output: string): TestResult[] {
  const results: TestResult[] = [];
  let waiting: { name: string; status: Status }[] = [];
  for (const line of lines(output)) {
    const test = /^ *--- (PASS|FAIL|SKIP): (\S+) \([\d.]+s\)$/.exec(line);
    if (test) waiting.push({ name: test[2] ?? '', status: GO_WORDS[test[1] ?? ''] ?? 'error' });
    const end = /^(ok  |FAIL|---|\?   )\t(\S+)(?:[\t ](.*))?$/.exec(line);
    if (!end) continue;
    results.push(...waiting.map(({ name, status }) => testResult(`${end[2]}.${name}`, status)));
    // A package that does not build, or that dies before a test ends, is an error of its own.
    const failed = waiting.some(({ status }) => status === 'failed');
    if (end[1] === 'FAIL' && !failed) results.push(testResult(end[2] ?? '', 'error'));
    waiting = [];
    if (results.length >= MAX_TESTS) break;
  }
  return results;
}

/** `go test -json`. */
function parseGoJson(output: string): TestResult[] {
  const results: TestResult[] = [];
  const failedIn = new Set<string>();
  for (const line of lines(output)) {
    if (!line.startsWith('{"') || results.length >= MAX_TESTS) continue;
    let event: unknown;
    try {
      event = JSON.parse(line);
    } catch {
      continue;
    }
    const { Action: action, Package: pkg, Test: test } = event as Record<string, unknown>;
    const status = typeof action === 'string' ? GO_WORDS[action] : undefined;
    if (status === undefined || typeof pkg !== 'string') continue;
    if (typeof test === 'string') {
      if (status === 'failed') failedIn.add(pkg);
      results.push(testResult(`${pkg}.${test}`, status));
    } else if (status === 'failed' && !failedIn.has(pkg)) {
      results.push(testResult(pkg, 'error'));
    }
  }
  return results;
}

/** Tests of `go test`, named `package.Test/subtest`. */
export function parseGoOutput(output: string): TestResult[] {
  return /^\{"(Time|Action|ImportPath)":/m.test(output) ? parseGoJson(output) : parseGoVerbose(output);
}
