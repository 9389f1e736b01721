import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { appFolder, shellWord } from '../../lib/index.ts';
import type { NewTask } from './types.ts';

/** Variable that makes the verifier of {@link pytestVerifier} shuffle the tests. */
export const ORDER_SEED = 'TEST_ORDER_SEED';

/** Files that steer pytest and that no fix of a bug has to change, for `TaskVerifier.protect`. */
export const PYTEST_PROTECT = [
  '**/conftest.py',
  '**/{pytest,.pytest,tox}.ini',
  '**/{sitecustomize,usercustomize}.py',
  '**/*.pth',
] as const;

export interface PytestVerifier {
  workdir: string;
  /** Words that start pytest with the test files, e.g. `python3 -m pytest tests/test_a.py`. */
  command: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Test files that are laid over the tree before the tests run, by their path in it. */
  files: Readonly<Record<string, Uint8Array | string>>;
}

/**
 * Files of `tests/` that run pytest and compare its report with `expected.json`. `test.sh` needs
 * nothing but a shell, Python and pytest, so that any Harbor harness can grade. It takes the folder
 * of the results from VERIFIER_DIR and the tree's from WORKDIR, where they are set, and ends with
 * pytest's exit code.
 */
export async function pytestVerifier(options: PytestVerifier): Promise<NewTask['tests']> {
  const resources = path.join(appFolder(), 'resources', 'verifier');
  const laid = Object.entries(options.files).map(([name, content]) => [`files/${name}`, content]);
  return {
    'test.sh': script(options),
    'reward.py': await readFile(path.join(resources, 'reward.py')),
    'random_order.py': await readFile(path.join(resources, 'random_order.py')),
    ...(Object.fromEntries(laid) as NewTask['tests']),
  };
}

function script({ workdir, command, env = {} }: PytestVerifier): string {
  const words = command.map(shellWord).join(' ');
  const exports = Object.entries(env).map(
    ([name, value]) => `export ${name}=${shellWord(value)}\n`,
  );
  return `#!/bin/sh
# Lays the tests over the tree, runs them, and writes junit.xml and reward.json.
tests=$(cd "$(dirname "$0")" && pwd)
out=\${VERIFIER_DIR:-/logs/verifier}
mkdir -p "$out" && rm -f "$out/junit.xml" "$out/reward.json"
cd "\${WORKDIR:-${workdir}}" || exit 3
if [ -d "$tests/files" ]; then cp -R "$tests/files/." . || exit 3; fi
${exports.join('')}if [ -n "$${ORDER_SEED}" ]; then
  export PYTHONPATH="$tests\${PYTHONPATH:+:$PYTHONPATH}"
  set -- -p random_order
fi
${words} -p no:cacheprovider -o junit_family=xunit1 --junitxml="$out/junit.xml" "$@"
code=$?
python3 -I "$tests/reward.py" "$out/junit.xml" "$tests/expected.json" "$out/reward.json"
exit $code
`;
}
