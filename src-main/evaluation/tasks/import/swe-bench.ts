import { checkedImage, checkedName } from '../names.ts';
import { taskInvalid } from '../invalid.ts';
import type { NewTask } from '../types.ts';
import { classicEval, type ClassicEval } from './classic-eval.ts';
import { exactGlob, filesOfPatch } from './patch-files.ts';
import { optionalText, testList, text } from './row-members.ts';
import type { Row } from './row.ts';

const WORKDIR = '/testbed';
const TIMEOUT_MS = 1_800_000;
const END_MARK = '>>>>> End Test Output';

/** Name of an instance's image: local, or as a namespace of a registry has it. */
export function sweBenchImage(instanceId: string, namespace?: string): string {
  const name = `sweb.eval.x86_64.${instanceId}:latest`;
  const whole = namespace === undefined ? name : `${namespace}/${name}`.replaceAll('__', '_1776_');
  return whole.toLowerCase();
}

/**
 * A row of SWE-bench 2 to 5 as a task: tree and tools are the image's, the log of the evaluation
 * script is what is graded.
 *
 * @throws VivariumError `task_invalid`
 */
export function sweBenchTask(row: Row, options: { namespace?: string | undefined } = {}): NewTask {
  const name = checkedName(text(row, 'instance_id'), 'instance_id');
  const expected = {
    failToPass: testList(row, 'FAIL_TO_PASS'),
    passToPass: testList(row, 'PASS_TO_PASS'),
  };
  if (expected.failToPass.length === 0) {
    throw taskInvalid('FAIL_TO_PASS is empty: nothing would tell a fix', 'Leave the row out.');
  }
  refuseAssets(row);
  const testPatch = text(row, 'test_patch');
  const { script, parser } = evalOf(row, testPatch);
  const image = checkedImage(optionalText(row, 'image') ?? sweBenchImage(name, options.namespace));
  return {
    name,
    instruction: text(row, 'problem_statement'),
    image,
    workdir: WORKDIR,
    tree: null,
    tests: { 'test.sh': TEST_SH, 'eval.sh': withExitCode(script), 'test.patch': testPatch },
    fix: Buffer.from(text(row, 'patch')),
    expected,
    verifier: {
      on: 'patch',
      timeoutMs: TIMEOUT_MS,
      reader: { kind: 'swe-bench', parser, failOnly: row['eval_type'] === 'fail_only' },
      protect: filesOfPatch(testPatch).map(exactGlob),
    },
    agentTimeoutMs: null,
    source: {
      kind: 'swe-bench',
      instance_id: name,
      repo: text(row, 'repo'),
      base_commit: optionalText(row, 'base_commit') ?? '',
      version: optionalText(row, 'version') ?? '',
      form: optionalText(row, 'eval_script') === undefined ? 'classic' : 'v5',
      ...difficultyOf(row),
    },
    keywords: ['swe-bench'],
  };
}

function evalOf(row: Row, testPatch: string): ClassicEval {
  const script = optionalText(row, 'eval_script');
  if (script === undefined) return classicEval(text(row, 'repo'), testPatch);
  return { script, parser: text(row, 'log_parser') };
}

function difficultyOf(row: Row): { difficulty?: string } {
  const difficulty = optionalText(row, 'difficulty');
  return difficulty === undefined ? {} : { difficulty };
}

/** Binary files that the tests compare with are fetched by the harness: there is no network here. */
function refuseAssets(row: Row): void {
  const raw = row['image_assets'];
  const assets = typeof raw === 'string' ? raw : JSON.stringify(raw ?? {});
  if (!/"path"/.test(assets)) return;
  throw taskInvalid('the tests need images that the row does not carry', 'Leave the row out.');
}

/** Makes the script tell the exit code of the tests, as SWE-bench 5 does when it runs one. */
function withExitCode(script: string): string {
  if (script.includes('SWEBENCH_TEST_EXIT_CODE')) return script;
  const lines = script.split('\n');
  const at = lines.findIndex((line) => line.includes(END_MARK));
  if (at === -1) return script;
  const end = lines[at] ?? '';
  const told = 'echo ">>>>> Test Exit Code: $SWEBENCH_TEST_EXIT_CODE"';
  lines.splice(at, 1, 'SWEBENCH_TEST_EXIT_CODE=$?', end, told);
  return lines.join('\n');
}

const TEST_SH = `#!/bin/bash
# Runs the evaluation script of the data set. Its log is graded by the parser that task.toml names:
# this script writes no reward.
tests=$(cd "$(dirname "$0")" && pwd)
cd "\${WORKDIR:-${WORKDIR}}" || exit 3
exec bash "$tests/eval.sh" 2>&1
`;
