import { describe, expect, it } from 'vitest';
import { addCounts, closingLine, countVitest, failuresOf } from '../../scripts/testing/count.mjs';
import { STAGES, parseStages } from '../../scripts/testing/stages.mjs';

const report = (passed: number, failed: number, pending = 0, todo = 0) =>
  JSON.stringify({
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: pending,
    numTodoTests: todo,
  });

describe('the closing line', () => {
  it('adds up all runners, alone on a line, in the form that CI reads', () => {
    const sum = addCounts([
      { passed: 5, failed: 1, skipped: 0 },
      { passed: 10, failed: 0, skipped: 2 },
    ]);
    expect(closingLine(sum)).toBe('tests: 15 passed, 1 failed, 2 skipped');
    expect(closingLine(addCounts([]))).toBe('tests: 0 passed, 0 failed, 0 skipped');
  });
});

describe('countVitest', () => {
  it.each([
    ['all well', report(4, 0, 1, 1), 0, { passed: 4, failed: 0, skipped: 2 }],
    ['failures', report(4, 2), 1, { passed: 4, failed: 2, skipped: 0 }],
    ['a file that does not load', report(4, 0), 1, { passed: 4, failed: 1, skipped: 0 }],
    ['no test ran', report(0, 0), 0, { passed: 0, failed: 1, skipped: 0 }],
    ['all skipped', report(0, 0, 3), 0, { passed: 0, failed: 1, skipped: 3 }],
    ['runner killed before its report', undefined, 137, { passed: 0, failed: 1, skipped: 0 }],
    ['report cut off', '{"numPas', 0, { passed: 0, failed: 1, skipped: 0 }],
  ])('%s', (_title, text, code, count) => {
    expect(countVitest(text, code)).toEqual(count);
  });
});

describe('failuresOf', () => {
  it('names each failed test and each file that does not load, with the beginning of why', () => {
    const failed = { fullName: 'adds up', status: 'failed', failureMessages: ['no\n1\n2\n3\n4'] };
    const testResults = [
      { name: 'a.test.ts', status: 'failed', assertionResults: [failed] },
      { name: 'b.test.ts', status: 'failed', message: 'cannot load', assertionResults: [] },
      { name: 'c.test.ts', status: 'passed', assertionResults: [{ ...failed, status: 'passed' }] },
    ];
    expect(failuresOf(JSON.stringify({ testResults }))).toEqual([
      'a.test.ts: adds up\n    no\n    1\n    2\n    3',
      'b.test.ts\n    cannot load',
    ]);
    expect(failuresOf(undefined)).toEqual([]);
    expect(failuresOf('{"testRes')).toEqual([]);
  });
});

describe('parseStages', () => {
  it('runs everything, or what --only names in the usual order, or refuses', () => {
    expect(parseStages([])).toEqual({ stages: STAGES, rest: [], chosen: false });
    expect(parseStages(['--only', 'unit,checks', 'src-main/git'])).toEqual({
      stages: ['checks', 'unit'],
      rest: ['src-main/git'],
      chosen: true,
    });
    expect(parseStages(['--only', 'units'])).toBeUndefined();
    expect(parseStages(['--only'])).toBeUndefined();
    expect(parseStages(['--all'])).toBeUndefined();
  });
});
