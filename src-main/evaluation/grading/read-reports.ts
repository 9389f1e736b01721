import { z } from 'zod';
import type { TestStatus } from '../../contract/index.ts';
import { junitCases, lineName } from '../../fix/index.ts';
import { kept, mended, passed } from './expectation.ts';
import { MAX_RESULTS, worstOf, type Reading } from './readings.ts';
import type { Evidence } from './types.ts';

/** Readers of reports that a verifier writes to `/logs/verifier`. */

const MAX_JSON_BYTES = 32 * 2 ** 20;
const JUNIT = {
  passed: 'PASSED',
  failed: 'FAILED',
  error: 'ERROR',
  skipped: 'SKIPPED',
  xfailed: 'XFAIL',
} as const satisfies Record<string, TestStatus>;

/** `junit.xml`; names as the command line of the runner takes them, on one line. */
export function readJunit({ files }: Pick<Evidence, 'files'>): Reading {
  const bytes = files['junit.xml'];
  if (bytes === undefined) return nothing('the verifier left no junit.xml');
  const cases = junitCases(bytes);
  if (cases === undefined) return nothing('junit.xml is no JUnit report that can be read');
  if (cases.length === 0) return nothing('junit.xml names no test', 'no_tests_collected');
  const tests = worstOf(cases.map(({ name, status }) => [name, JUNIT[status]] as const));
  return { kind: 'tests', tests, spell: lineName, failToPass: mended, passToPass: kept };
}

const ctrfSchema = z.object({
  results: z.object({
    tests: z.array(z.object({ name: z.string(), status: z.string() })).max(MAX_RESULTS),
  }),
});

/** Statuses of the Common Test Report Format; `other` and what it does not know are errors. */
const CTRF: Readonly<Record<string, TestStatus>> = {
  passed: 'PASSED',
  failed: 'FAILED',
  skipped: 'SKIPPED',
  pending: 'SKIPPED',
};

/** `ctrf.json` of the Common Test Report Format. */
export function readCtrf({ files }: Pick<Evidence, 'files'>): Reading {
  const found = json(files, 'ctrf.json', ctrfSchema);
  if (typeof found === 'string') return nothing(found);
  const { tests } = found.results;
  if (tests.length === 0) return nothing('ctrf.json names no test', 'no_tests_collected');
  const results = tests.map(({ name, status }) => [name, CTRF[status] ?? 'ERROR'] as const);
  return { kind: 'tests', tests: worstOf(results), failToPass: mended, passToPass: kept };
}

const proSchema = z.object({
  tests: z.array(z.object({ name: z.string(), status: z.string() })).max(MAX_RESULTS),
});
const PRO: Readonly<Record<string, TestStatus>> = {
  PASSED: 'PASSED',
  FAILED: 'FAILED',
  SKIPPED: 'SKIPPED',
};

/**
 * `output.json` of SWE-bench Pro's parsers. A test counts if it passed at all: its own evaluation
 * takes the set of names that are told of as passed. There, no result is a failure; here it is none.
 */
export function readSweBenchPro({ files }: Pick<Evidence, 'files'>): Reading {
  const found = json(files, 'output.json', proSchema);
  if (typeof found === 'string') return nothing(found);
  if (found.tests.length === 0) return nothing('output.json names no test', 'no_tests_collected');
  const tests = new Map<string, TestStatus>();
  for (const { name, status } of found.tests) {
    if (tests.get(name) !== 'PASSED') tests.set(name, PRO[status.toUpperCase()] ?? 'ERROR');
  }
  return { kind: 'tests', tests, failToPass: passed, passToPass: passed };
}

const patchEvalSchema = z.object({
  /** Of `fix-run.sh`: 0 = the exploit works no more. */
  exploit: z.number().int().nullable(),
  /** Of `unit_test.sh`; `null` = the task has none, which counts as passed. */
  unit_tests: z.number().int().nullable(),
});

/** Of timeout(1): the script was ended. */
const TIMED_OUT = 124;

/** `patcheval.json`: exit codes of the two scripts of PatchEval, and its two rates. */
export function readPatchEval({ files }: Pick<Evidence, 'files'>): Reading {
  const found = json(files, 'patcheval.json', patchEvalSchema);
  if (typeof found === 'string') return nothing(found);
  const { exploit, unit_tests: unit } = found;
  if (exploit === null) return nothing('patcheval.json tells no result of the exploit');
  if (exploit === TIMED_OUT || unit === TIMED_OUT) {
    return nothing('a script of the task did not end in time', 'tests_timed_out');
  }
  const held = exploit === 0;
  const strict = held && (unit === null || unit === 0);
  const rewards = { strict: Number(strict), exploit_only: Number(held) };
  return { kind: 'rewards', rewards, reward: rewards.strict, full: strict };
}

function nothing(detail: string, reason?: 'no_tests_collected' | 'tests_timed_out'): Reading {
  return { kind: 'nothing', detail, ...(reason === undefined ? {} : { reason }) };
}

/** Why it cannot be read, or what it holds. */
function json<T>(files: Evidence['files'], name: string, schema: z.ZodType<T>): T | string {
  const bytes = files[name];
  if (bytes === undefined) return `the verifier left no ${name}`;
  if (bytes.length > MAX_JSON_BYTES) return `${name} is too large`;
  try {
    return schema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch {
    return `${name} does not have the form that it should have`;
  }
}
