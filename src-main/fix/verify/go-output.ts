import { MAX_TESTS, testResult, type TestResult } from './test-results.ts';
import { outputLines } from './plain-output.ts';

type Status = TestResult['status'];

const WORDS: Record<string, Status> = { pass: 'passed', fail: 'failed', skip: 'skipped' };

/** The tests of one package while it runs: those that only started end as errors. */
function openPackage(): {
  start: (test: string) => void;
  end: (test: string, status: Status) => void;
  close: (name: string, failed: boolean) => TestResult[];
} {
  const tests = new Map<string, Status>();
  return {
    start: (test) => void tests.set(test, 'error'),
    end: (test, status) => void tests.set(test, status),
    close: (name, failed) => {
      const results = [...tests].map(([test, status]) => testResult(`${name}.${test}`, status));
      const told = results.some(({ status }) => status === 'failed' || status === 'error');
      // A package that does not build has no test to blame.
      return failed && !told ? [...results, testResult(name, 'error')] : results;
    },
  };
}

/** `go test -v`: the package's name comes after its tests. */
function parseVerbose(output: string): TestResult[] {
  const results: TestResult[] = [];
  let open = openPackage();
  for (const line of outputLines(output)) {
    const started = /^=== RUN +(\S+)$/.exec(line);
    if (started) open.start(started[1] ?? '');
    const ended = /^ *--- (PASS|FAIL|SKIP): (\S+) \([\d.]+s\)$/.exec(line);
    if (ended) open.end(ended[2] ?? '', WORDS[ended[1]?.toLowerCase() ?? ''] ?? 'error');
    const closed = /^(ok {2}|FAIL|\? {3})\t(\S+)(?:[\t ].*)?$/.exec(line);
    if (!closed) continue;
    results.push(...open.close(closed[2] ?? '', closed[1] === 'FAIL'));
    if (results.length >= MAX_TESTS) break;
    open = openPackage();
  }
  return results;
}

interface GoEvent {
  action: string;
  pkg: string;
  test: string | undefined;
}

function readEvent(line: string): GoEvent | undefined {
  if (!line.startsWith('{"')) return undefined;
  try {
    const {
      Action: action,
      Package: pkg,
      Test: test,
    } = JSON.parse(line) as Record<string, unknown>;
    if (typeof action !== 'string' || typeof pkg !== 'string') return undefined;
    return { action, pkg, test: typeof test === 'string' ? test : undefined };
  } catch {
    return undefined;
  }
}

/** `go test -json`: events of several packages may be mixed. */
function parseJson(output: string): TestResult[] {
  const results: TestResult[] = [];
  const packages = new Map<string, ReturnType<typeof openPackage>>();
  for (const line of outputLines(output)) {
    const event = readEvent(line);
    if (event === undefined || results.length >= MAX_TESTS) continue;
    const open = packages.get(event.pkg) ?? openPackage();
    packages.set(event.pkg, open);
    const status = WORDS[event.action];
    if (event.test !== undefined && event.action === 'run') open.start(event.test);
    else if (event.test !== undefined && status !== undefined) open.end(event.test, status);
    else if (event.test === undefined && status !== undefined) {
      results.push(...open.close(event.pkg, status === 'failed'));
      packages.delete(event.pkg);
    }
  }
  return results;
}

/** Tests of `go test`, named `package.Test/subtest`; a package that did not build is an error. */
export function parseGoOutput(output: string): TestResult[] {
  return /^\{"(Time|Action|ImportPath)":/m.test(output) ? parseJson(output) : parseVerbose(output);
}
