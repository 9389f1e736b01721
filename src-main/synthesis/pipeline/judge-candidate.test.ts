import { expect, test } from 'vitest';
import type { Grading, InfraReason } from '../../contract/index.ts';
import type { Graded } from '../../evaluation/index.ts';
import { sha256 } from '../../lib/index.ts';
import { errorLine, verdictOfBug } from './judge-candidate.ts';

/** A grading with these result files. */
function graded(files: Record<string, string>, more: Partial<Grading> = {}): Graded {
  const blobs = Object.values(files).map((text) => Buffer.from(text));
  const evidence = Object.fromEntries(
    Object.keys(files).map((name, at) => [name, sha256(blobs[at] ?? Buffer.of())]),
  );
  const grading = { state: 'graded', applied: true, infra: null, summary: '', ...more, evidence };
  return { grading: grading as unknown as Grading, blobs };
}

const report = (...cases: string[]) => ({
  'verifier/junit.xml': `<testsuite>${cases.join('')}</testsuite>`,
});
const failed = '<testcase name="a"><failure>no</failure></testcase>';
const passed = '<testcase name="b"/>';
const GO =
  '<testcase classname="m/x" name="[build failed]"><error type="build">x/a.go:3:5: undefined: y\nmore</error></testcase>';
const VITEST =
  '<testcase classname="c.test.ts" name="c.test.ts"><failure type="Error">Error: Transform failed with 1 error:</failure></testcase>';

test.each([
  ['Go', GO, 'x/a.go:3:5: undefined: y'],
  ['vitest', VITEST, 'Error: Transform failed with 1 error:'],
])('code that does not build is no bug, whatever else fails (%s)', (_, broken, detail) => {
  expect(verdictOfBug(['a', 'b'], graded(report(failed, passed)))).toEqual({
    expected: { failToPass: ['a'], passToPass: ['b'] },
  });
  expect(verdictOfBug(['a', 'b'], graded(report(failed, passed, broken)))).toEqual({
    ...{ refusal: 'collection_error', detail },
  });
});

const infra = (reason: InfraReason): Partial<Grading> => ({
  ...{ state: 'infra', infra: { reason, detail: 'the verifier left no junit.xml' } },
});

test('a bug after which nothing is told is an error of collection, with the line that says why', () => {
  const log = {
    'verifier.log':
      'Exception during run: /w/a.js:1\nconst x = ;\n\nSyntaxError: Unexpected token\n',
  };
  expect(verdictOfBug(['a'], graded(log, infra('no_reward')))).toEqual({
    ...{ refusal: 'collection_error', detail: 'SyntaxError: Unexpected token' },
  });
  expect(verdictOfBug(['a'], graded({}, infra('no_reward')))).toEqual({
    ...{ refusal: 'collection_error', detail: 'the verifier left no junit.xml' },
  });
  expect(verdictOfBug(['a'], graded(log, infra('out_of_memory')))).toMatchObject({
    refusal: 'not_judged',
  });
});

test('the line that says what is wrong', () => {
  expect(errorLine('# m/x\n./a.go:1:2: first\n./b.go:1:2: error\n')).toBe('./a.go:1:2: first');
  expect(errorLine("a\nE   ImportError: cannot import 'x'\n")).toBe(
    "E   ImportError: cannot import 'x'",
  );
  expect(errorLine('all is well')).toBeUndefined();
});
