import { shellWord } from '../../../lib/index.ts';
import { taskInvalid } from '../invalid.ts';
import { filesOfPatch } from './patch-files.ts';

/**
 * Rows before SWE-bench 5 carry no script: how a repository is tested stood in the harness. Commands
 * and parsers of the twelve repositories of Verified, Lite and the full set, as SWE-bench 4 has them.
 */
const RUNNERS: Readonly<Record<string, { command: string; parser: string }>> = {
  'astropy/astropy': {
    command: 'pytest -rA -vv -o console_output_style=classic --tb=no',
    parser: 'parse_log_astropy',
  },
  'django/django': {
    command: './tests/runtests.py --verbosity 2 --settings=test_sqlite --parallel 1',
    parser: 'parse_log_django',
  },
  'matplotlib/matplotlib': { command: 'pytest -rA', parser: 'parse_log_matplotlib' },
  'mwaskom/seaborn': { command: 'pytest --no-header -rA', parser: 'parse_log_seaborn' },
  'pallets/flask': { command: 'pytest -rA', parser: 'parse_log_flask' },
  'psf/requests': { command: 'pytest -rA', parser: 'parse_log_requests' },
  'pydata/xarray': { command: 'pytest -rA', parser: 'parse_log_xarray' },
  'pylint-dev/pylint': { command: 'pytest -rA', parser: 'parse_log_pylint' },
  'pytest-dev/pytest': { command: 'pytest -rA', parser: 'parse_log_pytest' },
  'scikit-learn/scikit-learn': { command: 'pytest -rA', parser: 'parse_log_scikit' },
  'sphinx-doc/sphinx': { command: 'tox --current-env -epy39 -v --', parser: 'parse_log_sphinx' },
  'sympy/sympy': {
    command: "PYTHONWARNINGS='ignore::UserWarning,ignore::SyntaxWarning' bin/test -C --verbose",
    parser: 'parse_log_sympy',
  },
};

/** Files of a test patch with these ends are no tests themselves. */
const NO_TESTS = /\.(json|png|txt|md|jpe?g|pkl|ya?ml|toml)$|csv$/;

export interface ClassicEval {
  script: string;
  parser: string;
}

/**
 * The evaluation script of a row of SWE-bench 2 to 4. It applies `test.patch` beside it instead of
 * carrying it, so that its bytes survive; the repository is not installed again, since that would
 * need a network: the image has it installed.
 *
 * @throws VivariumError `task_invalid` for a repository whose test command is not known
 */
export function classicEval(repo: string, testPatch: string): ClassicEval {
  const runner = RUNNERS[repo];
  if (runner === undefined) {
    throw taskInvalid(
      `the row has no eval_script, and how ${repo} is tested is not known`,
      'Use the data set in the form of SWE-bench 5, whose rows carry their scripts.',
    );
  }
  const directives = directivesOf(repo, testPatch).map(shellWord).join(' ');
  const script = `#!/bin/bash
set -uxo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source /opt/miniconda3/bin/activate
conda activate testbed
git apply -v "$here/test.patch"
: '>>>>> Start Test Output'
${runner.command} ${directives}
: '>>>>> End Test Output'
`;
  return { script, parser: runner.parser };
}

function directivesOf(repo: string, testPatch: string): string[] {
  const files = filesOfPatch(testPatch).filter((name) => !NO_TESTS.test(name));
  if (repo !== 'django/django') return files;
  // Django's runner takes modules below tests/.
  return files.map((name) =>
    name
      .replace(/\.py$/, '')
      .replace(/^tests\//, '')
      .replaceAll('/', '.'),
  );
}
