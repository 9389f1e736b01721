import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { appFolder } from '../../../lib/index.ts';
import { checkedImage, checkedName, checkedWorkdir } from '../names.ts';
import type { NewTask } from '../types.ts';
import { optionalText, text } from './row-members.ts';
import type { Row } from './row.ts';

/** Prepare and fix-run, then prepare and unit tests, 600 s each. */
const TIMEOUT_MS = 2_400_000;

/** What the image holds of the answer and of the judge; deleted before the agent starts. */
export const PATCHEVAL_GOLD = [
  '/workspace/llm.patch',
  '/workspace/fix.patch',
  '/workspace/fix-run.sh',
  '/workspace/vul-run.sh',
  '/workspace/unit_test.sh',
  '/workspace/prepare.sh',
] as const;

/** How much the prompt gives away, as the data set's files are named. */
export type PatchEvalVariant = 'default' | 'noknowledge' | 'nolocation';

/**
 * A row of PatchEval as a task: the exploit must fail and the unit tests must pass, by the image's
 * own scripts.
 *
 * @throws VivariumError `task_invalid`
 */
export async function patchEvalTask(row: Row, variant: PatchEvalVariant): Promise<NewTask> {
  const name = checkedName(text(row, 'cve_id'), 'cve_id');
  const workdir = checkedWorkdir(text(row, 'work_dir', 'workdir'));
  const gold = optionalText(row, 'vul_patch', 'fix_patch');
  const reward = path.join(appFolder(), 'resources', 'verifier', 'exit_codes.py');
  return {
    name,
    instruction: text(row, 'problem_statement', 'description', 'cve_description'),
    image: checkedImage(text(row, 'image_name', 'image_url')),
    workdir,
    tree: null,
    tests: { 'test.sh': testScript(workdir), 'exit_codes.py': await readFile(reward) },
    fix: gold === undefined ? null : Buffer.from(gold),
    expected: null,
    verifier: { on: 'patch', timeoutMs: TIMEOUT_MS, reader: { kind: 'patcheval' } },
    agentTimeoutMs: null,
    source: {
      kind: 'patcheval',
      cve_id: name,
      variant,
      language: optionalText(row, 'programming_language', 'programing_language') ?? '',
    },
    hide: PATCHEVAL_GOLD,
    keywords: ['patcheval'],
  };
}

/** The variant that a file's name tells. */
export function patchEvalVariant(file: string): PatchEvalVariant {
  const found = /_(noknowledge|nolocation)\b/.exec(path.basename(file))?.[1];
  return found === undefined ? 'default' : (found as PatchEvalVariant);
}

function testScript(workdir: string): string {
  return `#!/bin/bash
# The change of the tree becomes the patch that the image's own scripts apply and try.
tests=$(cd "$(dirname "$0")" && pwd)
out=\${VERIFIER_DIR:-/logs/verifier}
scripts=\${SCRIPTS_DIR:-/workspace}
mkdir -p "$out" && rm -f "$out/patcheval.json" "$out/reward.json"
cd "\${WORKDIR:-${workdir}}" || exit 3
git add --all --force && git diff --cached --binary HEAD > "$out/fix.patch" || exit 3
git reset --quiet --hard && git clean --quiet -fd || exit 3
cp "$out/fix.patch" "$scripts/fix.patch" || exit 3
cd "$scripts" || exit 3
run() { timeout 600 bash "$1" > "$out/$1.log" 2>&1; code=$?; cat "$out/$1.log"; return $code; }
run prepare.sh
run fix-run.sh
exploit=$?
units=null
if [ -f unit_test.sh ]; then
  run prepare.sh
  run unit_test.sh
  units=$?
fi
printf '{"exploit": %s, "unit_tests": %s}\\n' "$exploit" "$units" > "$out/patcheval.json"
python=$(command -v python3 || command -v python)
"$python" "$tests/exit_codes.py" "$out/patcheval.json" "$out/reward.json"
`;
}
