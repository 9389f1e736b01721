import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import { appFolder, shellWord } from '../../../lib/index.ts';
import { taskInvalid } from '../invalid.ts';
import { checkedImage, checkedName } from '../names.ts';
import type { NewTask } from '../types.ts';
import { exactGlob, filesOfPatch } from './patch-files.ts';
import { optionalText, testList, text } from './row-members.ts';
import type { Row } from './row.ts';

const WORKDIR = '/app';
const TIMEOUT_MS = 3_600_000;
const REPOSITORY = 'jefzda/sweap-images';
const MAX_TAG_CHARS = 128;

/**
 * Tag of an instance's image: owner and name of the repository in small letters, then the id without
 * `instance_` and `-vnan`, 128 characters at most.
 *
 * @throws VivariumError `task_invalid` for a repository that is not OWNER/NAME
 */
export function proTag(instanceId: string, repo: string): string {
  const [owner = '', name = '', more] = repo.toLowerCase().split('/');
  if (owner === '' || name === '' || more !== undefined) {
    throw taskInvalid(`repo is ${JSON.stringify(repo)}, not OWNER/NAME`, 'Check the row.');
  }
  const id = instanceId.replace(/^instance_/, '').replace(/-vnan$/, '');
  return `${owner}.${name}-${id}`.slice(0, MAX_TAG_CHARS);
}

export interface ProOptions {
  /** The folder `run_scripts` of SWE-bench Pro's repository: scripts by instance. */
  runScripts: string | undefined;
}

/**
 * A row of SWE-bench Pro as a task. The prompt is statement, requirements and new interfaces. Its
 * tests come from the fixed commit where the tree has that in its history, else from `test_patch`:
 * in a workspace there is no history.
 *
 * @throws VivariumError `task_invalid`
 */
export async function sweBenchProTask(row: Row, options: ProOptions): Promise<NewTask> {
  const id = checkedName(text(row, 'instance_id'), 'instance_id');
  const repo = text(row, 'repo');
  const expected = {
    failToPass: testList(row, 'fail_to_pass'),
    passToPass: testList(row, 'pass_to_pass'),
  };
  if (expected.failToPass.length === 0) {
    throw taskInvalid('fail_to_pass is empty: nothing would tell a fix', 'Leave the row out.');
  }
  const tag = optionalText(row, 'dockerhub_tag') ?? proTag(id, repo);
  const testPatch = optionalText(row, 'test_patch') ?? '';
  const scripts = await scriptsOf(id, options.runScripts);
  const reward = path.join(appFolder(), 'resources', 'verifier', 'statuses.py');
  return {
    name: id,
    instruction: promptOf(row),
    image: checkedImage(tag.includes('/') ? tag : `${REPOSITORY}:${tag}`),
    workdir: WORKDIR,
    tree: null,
    tests: {
      'test.sh': testScript(row),
      'test.patch': testPatch,
      'statuses.py': await readFile(reward),
      ...scripts,
    },
    fix: Buffer.from(text(row, 'patch')),
    expected,
    verifier: {
      on: 'patch',
      timeoutMs: TIMEOUT_MS,
      reader: { kind: 'swe-bench-pro' },
      protect: filesOfPatch(testPatch).map(exactGlob),
    },
    agentTimeoutMs: null,
    source: {
      kind: 'swe-bench-pro',
      instance_id: id,
      repo,
      base_commit: optionalText(row, 'base_commit') ?? '',
      language: optionalText(row, 'repo_language') ?? '',
    },
    keywords: ['swe-bench-pro'],
  };
}

function promptOf(row: Row): string {
  const parts = [text(row, 'problem_statement')];
  const requirements = optionalText(row, 'requirements');
  if (requirements !== undefined) parts.push(`Requirements:\n${requirements}`);
  const interfaces = optionalText(row, 'interface');
  if (interfaces !== undefined) parts.push(`New interfaces introduced:\n${interfaces}`);
  return parts.map((part) => part.trim()).join('\n\n');
}

async function scriptsOf(id: string, folder: string | undefined): Promise<Record<string, Buffer>> {
  if (folder === undefined) {
    throw taskInvalid(
      'the scripts that run and read the tests are not in the rows',
      "Name SWE-bench Pro's folder run_scripts with --run-scripts.",
    );
  }
  const found: Record<string, Buffer> = {};
  for (const name of ['run_script.sh', 'parser.py']) {
    const file = path.join(folder, id, name);
    if ((await lstat(file).catch(() => undefined))?.isFile() !== true) {
      throw taskInvalid(
        `${file} is missing`,
        "Take the whole folder run_scripts of SWE-bench Pro's repository.",
      );
    }
    found[name] = await readFile(file);
  }
  return found;
}

function testScript(row: Row): string {
  const last = (optionalText(row, 'before_repo_set_cmd') ?? '').trim().split('\n').at(-1)?.trim();
  const commit = /^git checkout ([0-9a-f]{7,40}) -- /.exec(last ?? '')?.[1];
  const files = testList(row, 'selected_test_files_to_run').join(',');
  const applied = 'git apply -v --whitespace=nowarn "$tests/test.patch"';
  const prepare =
    commit === undefined
      ? `if [ -s "$tests/test.patch" ]; then ${applied}; fi`
      : `if git cat-file -e ${commit}^{commit} 2>/dev/null; then\n  ${last ?? ''}\nelse\n  ${applied}\nfi`;
  return `#!/bin/bash
# Lays the tests over the tree, runs them, and writes output.json and reward.json.
tests=$(cd "$(dirname "$0")" && pwd)
out=\${VERIFIER_DIR:-/logs/verifier}
mkdir -p "$out" && rm -f "$out/output.json" "$out/reward.json"
cd "\${WORKDIR:-${WORKDIR}}" || exit 3
${prepare}
bash "$tests/run_script.sh" ${shellWord(files)} > "$out/stdout.log" 2> "$out/stderr.log"
code=$?
cat "$out/stdout.log"
cat "$out/stderr.log" >&2
python=$(command -v python3 || command -v python)
"$python" "$tests/parser.py" "$out/stdout.log" "$out/stderr.log" "$out/output.json" &&
  "$python" "$tests/statuses.py" "$out/output.json" "$tests/expected.json" "$out/reward.json"
exit $code
`;
}
