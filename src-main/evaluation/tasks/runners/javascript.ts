import { PROTECTED_FILES } from '../../../fix/index.ts';
import { calls, ORDER_SEED, withWords, type TestRunner } from './types.ts';

/** What npm does for its scripts. */
const FIND_PROGRAMS = 'export PATH="$PWD/node_modules/.bin:$PATH"';

const COMMON = {
  after: [],
  files: [],
  shuffles: false,
  protect: () => Object.values(PROTECTED_FILES).flat(),
  lines: null,
} as const satisfies Partial<TestRunner>;

const TEST_FLAG = /(?<=(?:^|[\s;&|(/'"])node\b[^;&|]*\s)--test(?=[\s;&|)'"]|$)/g;

/** Node's own: it has no other order than that of the files. */
export const node: TestRunner = {
  ...COMMON,
  name: 'node',
  isIn: (command) => command.search(TEST_FLAG) >= 0,
  command: (command) => command.replace(TEST_FLAG, '--test $NODE_TEST_REPORT'),
  before: [
    FIND_PROGRAMS,
    'report="--test-reporter=$tests/node_report.mjs --test-reporter-destination=$out/junit.xml"',
    'export NODE_TEST_REPORT="$report --test-reporter=spec --test-reporter-destination=stdout"',
  ],
  files: ['node_report.mjs'],
};

export const mocha: TestRunner = {
  ...COMMON,
  name: 'mocha',
  isIn: (command) => calls(command, '_?mocha'),
  command: (command) => withWords(command, '_?mocha', '$MOCHA_REPORT'),
  before: [
    FIND_PROGRAMS,
    'export MOCHA_REPORT="--reporter xunit --reporter-option output=$out/junit.xml"',
  ],
};

export const vitest: TestRunner = {
  ...COMMON,
  name: 'vitest',
  isIn: (command) => calls(command, 'vitest'),
  command: (command) => withWords(command, 'vitest', '$VITEST_OPTIONS'),
  before: [
    FIND_PROGRAMS,
    'options="--reporter=default --reporter=junit --outputFile.junit=$out/junit.xml"',
    `if [ -n "$${ORDER_SEED}" ]; then`,
    `  options="$options --sequence.shuffle --sequence.seed=$${ORDER_SEED}"`,
    'fi',
    'export VITEST_OPTIONS="$options"',
  ],
  shuffles: true,
};

export const jest: TestRunner = {
  ...COMMON,
  name: 'jest',
  isIn: (command) => calls(command, 'jest'),
  command: (command) => withWords(command, 'jest', '$JEST_REPORT'),
  before: [FIND_PROGRAMS, 'export JEST_REPORT="--json --outputFile=$out/jest.json"'],
  after: [
    'cat "$out/output.txt"',
    'python3 -I "$tests/jest_report.py" "$out/jest.json" "$out/junit.xml"',
  ],
  files: ['jest_report.py', 'junit_report.py'],
};

/** Any that prints the Test Anything Protocol. */
export const tap: TestRunner = {
  ...COMMON,
  name: 'tap',
  isIn: (command) => calls(command, 'tape|tap'),
  command: (command) => command,
  before: [FIND_PROGRAMS],
  after: ['python3 -I "$tests/tap_report.py" "$out/output.txt" "$out/junit.xml"'],
  files: ['tap_report.py', 'junit_report.py'],
};
