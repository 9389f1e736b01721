import { PROTECTED_FILES } from '../../../fix/index.ts';
import { calls, LINES_FILE, ORDER_SEED, withWords, type TestRunner } from './types.ts';

const TEST = 'go +test';

export const go: TestRunner = {
  name: 'go',
  isIn: (command) => calls(command, TEST),
  command: (command) => withWords(command, TEST, '$GO_TEST_OPTIONS'),
  before: [
    // As Go does by itself since 1.20.
    '[ -n "$CGO_ENABLED" ] || command -v "${CC:-gcc}" >/dev/null || export CGO_ENABLED=0',
    'export GO_TEST_OPTIONS=-json',
    `if [ -n "$${ORDER_SEED}" ]; then GO_TEST_OPTIONS="-json -shuffle=$${ORDER_SEED}"; fi`,
  ],
  after: ['python3 -I "$tests/go_report.py" "$out/output.txt" "$out/junit.xml"'],
  keepsOutput: true,
  files: ['go_report.py', 'junit_report.py'],
  shuffles: true,
  protect: () => [...Object.values(PROTECTED_FILES).flat(), '**/vendor/**'],
  lines: {
    before: ['GO_TEST_OPTIONS="$GO_TEST_OPTIONS -coverpkg=./... -coverprofile=$out/cover.out"'],
    after: [`python3 -I "$tests/go_lines.py" "$out/cover.out" "$out/${LINES_FILE}"`],
    files: ['go_lines.py'],
  },
};
