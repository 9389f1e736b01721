import { randomUUID } from 'node:crypto';
import type { VerificationRun } from '../../contract/index.ts';
import { parseGoOutput } from './go-output.ts';
import { parseJunit } from './junit.ts';
import { parseNodeOutput, parsePytestOutput, pytestCounts } from './plain-output.ts';
import type { TestResult } from './test-results.ts';

/** How a command is run so that single tests can be told apart. */
export interface RunPlan {
  /** The user's command, after lines that only set variables which the runners read. */
  script: string;
  /** What the command's words say; a `make test` shows its runner only by its results. */
  named: 'pytest' | 'node' | 'go' | null;
  /** JUnit reports to look for, the likeliest first. */
  reports: string[];
}

/** What single tests did, and how that is known. */
export interface Findings {
  runner: VerificationRun['runner'];
  tests: TestResult[];
  /** The report and the printed summary contradict each other: one of them was forged. */
  contradiction: string | null;
}

const PYTEST = /(?:^|[\s;&|(/'"])(?:pytest|py\.test)(?=[\s;&|)'"]|$)/;
const GO = /(?:^|[\s;&|(/'"])go\s+test(?=[\s;&|)'"]|$)/;
const NODE = /(?:^|[\s;&|(/'"])node\s(?:[^;&|]*\s)?--test(?=[\s;&|)'"=]|$)/;

/** A report that the command itself names, e.g. `--junitxml=out.xml`, `--junitfile out.xml`. */
function namedReports(command: string): string[] {
  const found = command.matchAll(
    /junit[\w-]*[= ]+(?:"([^"]+\.xml)"|'([^']+\.xml)'|([^\s;&|'"]+\.xml))/gi,
  );
  return [...found].map(([, a, b, c]) => a ?? b ?? c ?? '');
}

/** Makes pytest name every test in its output. */
const TELL_ALL = '-v -rA';

const pytestOptions = (options: string): string =>
  `export PYTEST_ADDOPTS="\${PYTEST_ADDOPTS:+$PYTEST_ADDOPTS }${options}"`;

/** The plan for a project that switched pytest's report off: its option is unknown there. */
export function planWithoutReport(command: string): RunPlan {
  const { named } = planRun(command);
  return { script: [pytestOptions(TELL_ALL), command].join('\n'), named, reports: [] };
}

/**
 * Plans a run. pytest writes its JUnit report to a file of ours, told by `PYTEST_ADDOPTS`, which
 * pytest also reads when a script or `make` starts it; `go test` becomes verbose by `GOFLAGS`.
 * Node's runner is read as it prints: a second reporter could contradict the command's own.
 */
export function planRun(command: string): RunPlan {
  const own = namedReports(command);
  const report = `/tmp/vivarium-report-${randomUUID()}.xml`;
  const named = PYTEST.test(command)
    ? 'pytest'
    : GO.test(command)
      ? 'go'
      : NODE.test(command)
        ? 'node'
        : null;
  // Two calls of pytest would write the same report: the second alone would be seen.
  const single = [...command.matchAll(new RegExp(PYTEST, 'g'))].length <= 1;
  const options = single ? `--junitxml=${report} -o junit_family=xunit1` : TELL_ALL;
  const setup = own.length > 0 ? [] : [pytestOptions(options)];
  if (named === 'go') setup.push('export GOFLAGS="${GOFLAGS:+$GOFLAGS }-v"');
  const reports = own.length > 0 ? own : single ? [report] : [];
  return { script: [...setup, command].join('\n'), named, reports };
}

/** pytest's own last line against the report: whoever forges one must forge the other as well. */
function contradictionOf(tests: readonly TestResult[], output: string): string | null {
  const printed = pytestCounts(output);
  if (printed === undefined) return null;
  const bad = tests.filter(({ status }) => status === 'failed' || status === 'error').length;
  if ((bad === 0) === (printed.bad === 0)) return null;
  return `pytest printed ${printed.bad} failures but its report has ${bad}`;
}

/**
 * What single tests did, from a report if there is one, else from the output.
 *
 * @param report bytes of the first of the plan's reports that exists
 */
export function findTests(plan: RunPlan, report: Uint8Array | undefined, output: string): Findings {
  const reported = report && parseJunit(report);
  if (reported !== undefined && (reported.length > 0 || plan.named === 'pytest')) {
    const isPytest =
      plan.named === 'pytest' || plan.reports[0]?.startsWith('/tmp/vivarium-report-');
    const contradiction = isPytest ? contradictionOf(reported, output) : null;
    return { runner: isPytest ? 'pytest' : 'junit', tests: reported, contradiction };
  }
  const readers = { pytest: parsePytestOutput, node: parseNodeOutput, go: parseGoOutput };
  const kinds = plan.named === null ? (['pytest', 'node', 'go'] as const) : [plan.named];
  for (const kind of kinds) {
    const tests = readers[kind](output);
    if (tests.length > 0) return { runner: kind, tests, contradiction: null };
  }
  return { runner: 'exit-code', tests: [], contradiction: null };
}
