import { calls, LINES_FILE, ORDER_SEED, type TestRunner } from './types.ts';

/** Files that steer pytest. */
const STEERING = [
  '**/conftest.py',
  '**/{pytest,.pytest,tox}.ini',
  '**/{sitecustomize,usercustomize}.py',
  '**/*.pth',
] as const;

/** What pytest is made of: Python looks for it in the repository first. */
const PARTS = ['pytest', '_pytest', 'pluggy', 'iniconfig'];

export const pytest: TestRunner = {
  name: 'pytest',
  isIn: (command) => calls(command, 'pytest|py\\.test'),
  command: (command) => command,
  // Read wherever it is started, by `make` or a script too.
  before: [
    'options="-p no:cacheprovider -o junit_family=xunit1 --junitxml=$out/junit.xml"',
    `if [ -n "$${ORDER_SEED}" ]; then`,
    '  export PYTHONPATH="$tests${PYTHONPATH:+:$PYTHONPATH}"',
    '  options="$options -p random_order"',
    'fi',
    'export PYTEST_ADDOPTS="${PYTEST_ADDOPTS:+$PYTEST_ADDOPTS }$options"',
  ],
  after: [],
  keepsOutput: false,
  files: ['random_order.py'],
  shuffles: true,
  protect: pytestProtect,
  lines: {
    before: [
      'export PYTHONPATH="$tests${PYTHONPATH:+:$PYTHONPATH}"',
      `export PYTEST_PLUGINS=line_coverage LINE_COVERAGE="$out/${LINES_FILE}"`,
    ],
    files: ['line_coverage.py'],
  },
};

/**
 * Files that steer pytest, and modules that would take its place. What the tree brings itself is the
 * code under test.
 */
function pytestProtect(paths: Iterable<string>): string[] {
  const own = new Set<string>();
  for (const path of paths) own.add(path.replace(/^src\//, '').split(/\/|\.py$/, 1)[0] ?? '');
  const foreign = PARTS.filter((name) => !own.has(name));
  if (foreign.length === 0) return [...STEERING];
  // Written out: an alternative of one word is none to every reader of globs.
  const places = foreign.flatMap((name) => [name, `src/${name}`]);
  return [...STEERING, ...places.flatMap((place) => [`./${place}.py`, `${place}/**`])];
}
