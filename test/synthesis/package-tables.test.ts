import { expect, test } from 'vitest';
import { tablesOf, type Measured } from '../../scripts/synth-packages/tables.ts';

const REPORT: Measured['report'] = {
  ...{ target: 3, tried: 4, validated: 3, seconds: 360, testSeconds: 540, testShare: 0.75 },
  ...{ tasksAnHourPerWorker: 15, workers: 2, flaky: ['t.py::a'] },
  byMethod: [
    { generator: 'mutate', method: 'negate', tried: 3, validated: 3 },
    { generator: 'mutate', method: 'drop', tried: 1, validated: 0 },
  ],
  refusals: [{ refusal: 'no_test_tells', count: 1 }],
};
const ONE: Measured = {
  ...{ package: 'one', version: '1.0', day: '2026-01-31', command: 'pytest', seed: 1, reruns: 2 },
  ...{ steady: 9, coveredFiles: 2, cores: 2, load: 2.5, report: REPORT },
};

test('packages by themselves, mutators and refusals over all of them', () => {
  const lines = tablesOf([ONE, { ...ONE, package: 'two', cores: 1 }]).split('\n');
  expect(lines).toContain(
    '| one 1.0 | 9 | 1 | 4 | 3 | 75 % | 360 | 2 | 15 | 75 % | 2.5 | 2026-01-31 |',
  );
  // Two workers on one core make twice as much of it.
  expect(lines).toContain(
    '| two 1.0 | 9 | 1 | 4 | 3 | 75 % | 360 | 2 | 30 | 75 % | 2.5 | 2026-01-31 |',
  );
  expect(lines).toContain('Flaky in one, on no list of tests: `t.py::a`.');
  expect(lines).toContain('| drop | 2 | 0 | 0 % |');
  expect(lines).toContain('| negate | 6 | 6 | 100 % |');
  expect(lines).toContain('| no_test_tells | 2 |');
});
