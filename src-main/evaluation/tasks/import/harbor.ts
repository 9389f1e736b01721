import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { VivariumError } from '../../../lib/index.ts';
import { networkUses, type NetworkUse } from '../network-uses.ts';
import { readTask } from '../read-task.ts';
import { taskInvalid } from '../invalid.ts';
import type { Task } from '../types.ts';

/** Label in the metadata of a task whose `test.sh` is not the author's. */
export const MODIFIED_VERIFIER = 'modified verifier';

export interface HarborOptions {
  /** Replace a `test.sh` that installs things by one that only runs `tests/test_outputs.py`. */
  offlineVerifier: boolean;
}

export interface CopiedTask {
  task: Task;
  /** What `test.sh` would fetch; empty when it was replaced. */
  uses: NetworkUse[];
  modified: boolean;
}

/**
 * Copies a Harbor task (Terminal-Bench 2 and others) into `into`, unchanged but for a verifier that
 * was asked to be replaced.
 *
 * @throws VivariumError `task_invalid`, `out_unwritable`
 */
export async function copyHarborTask(
  source: Task,
  into: string,
  options: HarborOptions,
): Promise<CopiedTask> {
  const folder = path.join(into, source.name);
  if ((await stat(folder).catch(() => undefined)) !== undefined) {
    throw new VivariumError(
      'out_unwritable',
      `${folder} is there already`,
      'Remove it, or choose another folder; nothing is overwritten.',
    );
  }
  await mkdir(into, { recursive: true });
  await cp(source.folder, folder, { recursive: true, verbatimSymlinks: true, errorOnExist: true });
  const script = await readFile(path.join(folder, 'tests', 'test.sh'), 'utf8');
  const uses = networkUses(script);
  const modified = uses.length > 0 && options.offlineVerifier;
  if (modified) await replaceVerifier(folder, script);
  return { task: await readTask(folder), uses: modified ? [] : uses, modified };
}

/** Packages that the author's script brings for the tests, e.g. `-w numpy==1.0`; the image needs them. */
export function verifierPackages(script: string): string[] {
  const joined = script.replace(/\\\r?\n/g, ' ');
  const found = [...joined.matchAll(/\s(?:-w|--with)[= ]+([\w.\-[\]]+(?:[=<>~!]=[\w.]+)?)/g)];
  return [...new Set(found.map(([, name]) => name ?? ''))].toSorted();
}

async function replaceVerifier(folder: string, script: string): Promise<void> {
  const tests = path.join(folder, 'tests');
  if (!(await readdir(tests)).includes('test_outputs.py')) {
    throw taskInvalid(
      'test.sh installs things, and there is no tests/test_outputs.py to run without them',
      'Leave this task out, or give its image what test.sh installs.',
    );
  }
  await writeFile(path.join(tests, 'test.sh'), OFFLINE_TEST_SH);
  await writeFile(path.join(tests, 'test.sh.original'), script);
  const packages = verifierPackages(script).map((name) => JSON.stringify(name));
  const table = `\n[metadata.vivarium]\nkind = "harbor"\nlabel = "${MODIFIED_VERIFIER}"\npackages = [${packages.join(', ')}]\n`;
  const file = path.join(folder, 'task.toml');
  const text = await readFile(file, 'utf8');
  if (/^\s*\[metadata\.vivarium/m.test(text)) {
    throw taskInvalid('it is a task of Vivarium already', 'Import the original task.');
  }
  await writeFile(file, `${text.replace(/\n*$/, '\n')}${table}`);
}

const OFFLINE_TEST_SH = `#!/bin/sh
# Modified verifier: the author's script (test.sh.original) installs its tools from a network; here
# test_outputs.py, which is unchanged, runs with the image's own pytest.
tests=$(cd "$(dirname "$0")" && pwd)
out=\${VERIFIER_DIR:-/logs/verifier}
mkdir -p "$out" && rm -f "$out/reward.txt" "$out/reward.json"
if ! python3 -m pytest --version >/dev/null 2>&1; then
  echo "pytest is not in the image" >&2
  exit 3
fi
python3 -m pytest "$tests/test_outputs.py" -rA -p no:cacheprovider
code=$?
# 0: all passed; 1: some failed. Anything else tells nothing of the task.
if [ "$code" -le 1 ]; then echo $((1 - code)) > "$out/reward.txt"; fi
exit $code
`;
