import { describe, expect, it } from 'vitest';
import type { Verification, VerificationRun } from '../../../../src-main/contract/index.ts';
import { comparedTests } from './tests-compared.ts';

function run(tests: Record<string, VerificationRun['tests'][number]['status']>): VerificationRun {
  return {
    ...{ exitCode: 1, passed: false, reason: null, seconds: 1, runner: 'pytest', outputTail: '' },
    tests: Object.entries(tests).map(([name, status]) => ({ name, status })),
  };
}

describe('tests before and after', () => {
  it('stand in the order of what they tell', () => {
    const result: Verification = {
      ...{ command: 'c', restored: [], passed: false, summary: '' },
      before: run({
        same: 'passed',
        bug: 'failed',
        stays: 'failed',
        gone: 'passed',
        worse: 'passed',
      }),
      after: run({
        same: 'passed',
        bug: 'passed',
        stays: 'error',
        fresh: 'skipped',
        worse: 'failed',
      }),
      regressions: ['worse', 'gone'],
      fixed: ['bug'],
    };
    expect(comparedTests(result)).toEqual([
      { name: 'worse', before: 'passed', after: 'failed', change: 'regression' },
      { name: 'gone', before: 'passed', after: null, change: 'regression' },
      { name: 'bug', before: 'failed', after: 'passed', change: 'fixed' },
      { name: 'stays', before: 'failed', after: 'error', change: 'failing' },
      { name: 'fresh', before: null, after: 'skipped', change: 'other' },
      { name: 'same', before: 'passed', after: 'passed', change: 'passing' },
    ]);
  });
});
