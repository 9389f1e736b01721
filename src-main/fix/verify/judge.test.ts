import { describe, expect, it } from 'vitest';
import { compareRuns } from './judge.ts';
import type { TestResult } from './test-results.ts';

/** `compare('a+ b- c? d!', ...)`: passed, failed, skipped, error. */
const STATUS = { '+': 'passed', '-': 'failed', '?': 'skipped', '!': 'error' } as const;
const tests = (text: string): TestResult[] =>
  text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => ({
      name: `t.py::${word.slice(0, -1)}`,
      status: STATUS[word.slice(-1) as keyof typeof STATUS],
    }));
const compare = (before: string, after: string) => compareRuns(tests(before), tests(after));

describe('before against after', () => {
  it('finds what was fixed', () => {
    expect(compare('a- b+ c?', 'a+ b+ c+ new+')).toEqual({
      regressions: [],
      fixed: ['t.py::a'],
      objection: null,
    });
  });

  it.each([
    ['b- a+', 'b+ a-', ['t.py::a'], '1 test failed: t.py::a'],
    ['b- a+', 'b+', ['t.py::a'], '1 test passed before and no longer: t.py::a'],
    ['b- a+', 'b+ a?', ['t.py::a'], '1 test passed before and no longer: t.py::a'],
    ['b- a+ a+', 'b+ a+', ['t.py::a'], '1 test passed before and no longer: t.py::a'],
    ['b- a+', 'a+', [], '1 test missing: t.py::b'],
    ['b- a+', 'b? a+', [], '1 test failed before and skipped now: t.py::b'],
    ['b- c? a+', 'b+ a+', [], '1 test missing: t.py::c'],
    ['b- a+', '', ['t.py::a'], 'no test left a result; before the patch there were 2'],
    [
      'a- b- c- d- e+',
      'a- b- c- d- e+',
      [],
      '4 tests failed: t.py::a, t.py::b, t.py::c and 1 more',
    ],
  ])('P09: objects to %s becoming %s', (before, after, regressions, objection) => {
    expect(compare(before, after)).toMatchObject({ regressions, objection });
  });

  it('takes the worst of tests with one name, and a failure told twice as one', () => {
    expect(compare('a- a!', 'a+').objection).toBeNull();
    expect(compare('a+ a-', 'a+ a+')).toMatchObject({ fixed: ['t.py::a'], objection: null });
  });

  it('lets the tests of a file appear that could not be collected', () => {
    const before: TestResult[] = [{ name: 'tests/test_b.py', status: 'error' }];
    expect(compareRuns(before, tests('x+ y?'))).toEqual({
      regressions: [],
      fixed: ['t.py::x'],
      objection: null,
    });
  });

  it('does the same for a go package, but not for a go test that died', () => {
    const passed: TestResult[] = [{ name: 'm/p.TestA', status: 'passed' }];
    expect(compareRuns([{ name: 'm/p', status: 'error' }], passed)).toEqual({
      regressions: [],
      fixed: ['m/p.TestA'],
      objection: null,
    });
    expect(compareRuns([{ name: 'm/p.TestB', status: 'error' }], passed).objection).toBe(
      '1 test missing: m/p.TestB',
    );
  });
});
