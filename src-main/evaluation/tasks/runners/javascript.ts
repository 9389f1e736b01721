import { PROTECTED_FILES } from '../../../fix/index.ts';
import { calls, LINES_FILE, ORDER_SEED, withWords, type TestRunner } from './types.ts';

/** As npm does for its scripts; for the command alone, since what the tests leave there is not ours. */
function withPrograms(command: string): string {
  return `export PATH="$PWD/node_modules/.bin:$PATH"\n${command}`;
}

const COMMON = {
  after: [],
  keepsOutput: false,
  files: [],
  shuffles: false,
  protect: () => Object.values(PROTECTED_FILES).flat(),
  lines: null,
} as const satisfies Partial<TestRunner>;

const TEST_FLAG = /(?<=(?:^|[\s;&|(/'"])node\b[^;&|]*\s)--test(?=[\s;&|)'"]|$)/g;

/** Node's processes leave what ran when they end; where code is transformed first, lines are others. */
const LINES = {
  before: ['export NODE_V8_COVERAGE="$out/v8"'],
  after: [`python3 -I "$tests/v8_lines.py" "$out/v8" "$out/${LINES_FILE}"`, 'rm -rf "$out/v8"'],
  files: ['v8_lines.py'],
};

/** Node's own: it has no other order than that of the files. */
export const node: TestRunner = {
  ...COMMON,
  name: 'node',
  isIn: (command) => command.search(TEST_FLAG) >= 0,
  command: (command) => withPrograms(command.replace(TEST_FLAG, '--test $NODE_TEST_REPORT')),
  before: [
    'report="--test-reporter=$tests/node_report.mjs --test-reporter-destination=$out/junit.xml"',
    'export NODE_TEST_REPORT="$report --test-reporter=spec --test-reporter-destination=stdout"',
  ],
  files: ['node_report.mjs'],
  lines: LINES,
};

export const mocha: TestRunner = {
  ...COMMON,
  name: 'mocha',
  isIn: (command) => calls(command, '_?mocha'),
  command: (command) => withPrograms(withWords(command, '_?mocha', '$MOCHA_REPORT')),
  before: ['export MOCHA_REPORT="--reporter xunit --reporter-option output=$out/junit.xml"'],
  lines: LINES,
};

export const vitest: TestRunner = {
  ...COMMON,
  name: 'vitest',
  isIn: (command) => calls(command, 'vitest'),
  command: (command) => withPrograms(withWords(command, 'vitest', '$VITEST_OPTIONS')),
  before: [
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
  command: (command) => withPrograms(withWords(command, 'jest', '$JEST_REPORT')),
  before: ['export JEST_REPORT="--json --outputFile=$out/jest.json"'],
  after: ['python3 -I "$tests/jest_report.py" "$out/jest.json" "$out/junit.xml"'],
  files: ['jest_report.py', 'junit_report.py'],
};

/** Any that prints the Test Anything Protocol. */
export const tap: TestRunner = {
  ...COMMON,
  name: 'tap',
  isIn: (command) => calls(command, 'tape|tap'),
  command: withPrograms,
  before: [],
  after: ['python3 -I "$tests/tap_report.py" "$out/output.txt" "$out/junit.xml"'],
  keepsOutput: true,
  files: ['tap_report.py', 'junit_report.py'],
  lines: LINES,
};
