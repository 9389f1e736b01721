import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { appFolder, shellWord } from '../../lib/index.ts';
import type { NewTask, Task } from './types.ts';

/** Variable that makes the verifier of {@link commandVerifier} shuffle the tests. */
const ORDER_SEED = 'TEST_ORDER_SEED';

/** The same task for a judge, with its tests in another order; `null` = in that of the files. */
export function inOrder(task: Task, order: number | null): Task {
  if (order === null) return task;
  const env = { ...task.verifier.env, [ORDER_SEED]: String(order) };
  return { ...task, verifier: { ...task.verifier, env } };
}

const PYTEST = /(?:^|[\s;&|(/'"])(?:pytest|py\.test)(?=[\s;&|)'"]|$)/;

/** Whether a shell command calls pytest by itself, whose report tells single tests. */
export function runsPytest(command: string): boolean {
  return PYTEST.test(command);
}

/** Files that steer pytest and that no fix of a bug has to change. */
const STEERING = [
  '**/conftest.py',
  '**/{pytest,.pytest,tox}.ini',
  '**/{sitecustomize,usercustomize}.py',
  '**/*.pth',
] as const;

/** What pytest is made of: Python looks for it in the repository first. */
const RUNNER = ['pytest', '_pytest', 'pluggy', 'iniconfig'];

/**
 * Globs for `TaskVerifier.protect`: files that steer pytest, and modules that would take its place.
 * `paths`: of the tree; what it brings itself is the code under test.
 */
export function pytestProtect(paths: Iterable<string>): string[] {
  const own = new Set<string>();
  for (const path of paths) own.add(path.replace(/^src\//, '').split(/\/|\.py$/, 1)[0] ?? '');
  const foreign = RUNNER.filter((name) => !own.has(name));
  if (foreign.length === 0) return [...STEERING];
  // Written out: an alternative of one word is none to every reader of globs.
  const places = foreign.flatMap((name) => [name, `src/${name}`]);
  return [...STEERING, ...places.flatMap((place) => [`./${place}.py`, `${place}/**`])];
}

export interface CommandVerifier {
  workdir: string;
  /** Shell text that runs the tests, in the repository. */
  command: string;
  env?: Readonly<Record<string, string>>;
  /** Test files that are laid over the tree before the tests run, by their path in it. */
  files: Readonly<Record<string, Uint8Array | string>>;
  /** Files of the tree that are removed before the tests run. */
  removed?: readonly string[];
  /** Single tests by pytest's report, or the exit code alone. */
  judgedBy?: 'tests' | 'exit-code';
}

/**
 * Files of `tests/` that run a command and write the reward: pytest's report, wherever the command
 * calls it, is compared with `expected.json`; else exit code 0 is a solution. `test.sh` needs nothing
 * but a shell and Python, so that any Harbor harness can grade. It takes the folder of the results
 * from VERIFIER_DIR and the tree's from WORKDIR, where they are set, and ends with the command's exit
 * code.
 */
export async function commandVerifier(options: CommandVerifier): Promise<NewTask['tests']> {
  const laid = Object.entries(options.files).map(([name, content]) => [`files/${name}`, content]);
  const files = Object.fromEntries(laid) as NewTask['tests'];
  if (options.judgedBy === 'exit-code') return { 'test.sh': script(options), ...files };
  const resources = path.join(appFolder(), 'resources', 'verifier');
  return {
    'test.sh': script(options),
    'reward.py': await readFile(path.join(resources, 'reward.py')),
    'random_order.py': await readFile(path.join(resources, 'random_order.py')),
    ...files,
  };
}

function script(options: CommandVerifier): string {
  const { workdir, command, env = {}, removed = [] } = options;
  const byTests = options.judgedBy !== 'exit-code';
  const lines = [
    '#!/bin/sh',
    `# Lays the tests over the tree, runs them, and writes ${byTests ? 'junit.xml and ' : ''}reward.json.`,
    'tests=$(cd "$(dirname "$0")" && pwd)',
    'out=${VERIFIER_DIR:-/logs/verifier}',
    'mkdir -p "$out" && rm -f "$out/junit.xml" "$out/reward.json"',
    `cd "\${WORKDIR:-${workdir}}" || exit 3`,
    ...removed.map((name) => `rm -f -- ${shellWord(name)}`),
    'if [ -d "$tests/files" ]; then cp -R "$tests/files/." . || exit 3; fi',
    ...Object.entries(env).map(([name, value]) => `export ${name}=${shellWord(value)}`),
    ...(byTests ? REPORT_LINES : []),
    `(\n${command}\n)`,
    'code=$?',
    ...(byTests ? COMPARE_LINES : EXIT_CODE_LINES),
    'exit $code',
  ];
  return `${lines.join('\n')}\n`;
}

/** pytest reads the variable wherever it is started, by `make` or a script too. */
const REPORT_LINES = [
  'options="-p no:cacheprovider -o junit_family=xunit1 --junitxml=$out/junit.xml"',
  `if [ -n "$${ORDER_SEED}" ]; then`,
  '  export PYTHONPATH="$tests${PYTHONPATH:+:$PYTHONPATH}"',
  '  options="$options -p random_order"',
  'fi',
  'export PYTEST_ADDOPTS="${PYTEST_ADDOPTS:+$PYTEST_ADDOPTS }$options"',
];

// -I: modules of the repository must not be taken for Python's own.
const COMPARE_LINES = [
  'python3 -I "$tests/reward.py" "$out/junit.xml" "$tests/expected.json" "$out/reward.json"',
];

const EXIT_CODE_LINES = [
  'if [ $code -eq 0 ]; then echo \'{"reward": 1}\'; else echo \'{"reward": 0}\'; fi > "$out/reward.json"',
];
