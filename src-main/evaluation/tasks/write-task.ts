import { chmod, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder, messageOf, newId, shellWord, VivariumError } from '../../lib/index.ts';
import { taskInvalid } from './invalid.ts';
import { checkedImage, checkedName, checkedWorkdir } from './names.ts';
import { packTree } from './pack-tree.ts';
import { EXPECTED_FILE, readTask } from './read-task.ts';
import { newTaskToml } from './new-task-toml.ts';
import { treeProblem } from './tree-path.ts';
import type { NewTask, Task } from './types.ts';

/** The archive of a tree, in `environment/`. */
export const TREE_FILE = 'repository.tar';

/**
 * Writes a task as a Harbor directory below `into` and returns it as it is read. The folder appears
 * whole or not at all.
 *
 * @throws VivariumError `task_invalid` for names that may not be, `out_unwritable` when the folder
 *   is there already or cannot be written
 */
export async function writeTask(into: string, task: NewTask): Promise<Task> {
  const name = checkedName(task.name, 'the name of the task');
  const folder = path.join(into, name);
  const work = path.join(into, `.${name}.${newId(6)}.tmp`);
  if ((await stat(folder).catch(() => undefined)) !== undefined) {
    throw new VivariumError(
      'out_unwritable',
      `${folder} is there already`,
      'Remove it, or choose another folder; nothing is overwritten.',
    );
  }
  try {
    await makeFolder(work);
    await fill(work, task);
    await rename(work, folder);
  } catch (error) {
    throw writeFailure(folder, error);
  } finally {
    await rm(work, { recursive: true, force: true }).catch(() => undefined);
  }
  return readTask(folder);
}

async function fill(folder: string, task: NewTask): Promise<void> {
  const image = checkedImage(task.image);
  const workdir = checkedWorkdir(task.workdir);
  await put(folder, 'task.toml', newTaskToml({ ...task, image, workdir }, TREE_FILE));
  await put(folder, 'instruction.md', task.instruction.replace(/\n*$/, '\n'));
  if (task.tree !== null) {
    await put(folder, `environment/${TREE_FILE}`, await packTree(task.tree));
    const add = `FROM ${image}\nADD ${TREE_FILE} ${workdir}/\nWORKDIR ${workdir}\n`;
    await put(folder, 'environment/Dockerfile', add);
  }
  await putTests(folder, task);
  if (task.fix === null) return;
  await put(folder, 'solution/fix.patch', task.fix);
  await put(folder, 'solution/solve.sh', solveScript(workdir), 0o755);
}

async function putTests(folder: string, task: NewTask): Promise<void> {
  if (!('test.sh' in task.tests)) {
    throw taskInvalid('the task has no tests/test.sh', 'This is a fault of what made the task.');
  }
  for (const [name, content] of Object.entries(task.tests)) {
    const problem = treeProblem({ path: name, mode: '100644' });
    if (problem !== undefined) {
      throw taskInvalid(`${JSON.stringify(name)}: ${problem}`, 'Leave that test file out.');
    }
    await put(folder, `tests/${name}`, content, name.endsWith('.sh') ? 0o755 : 0o644);
  }
  if (task.expected === null) return;
  const { failToPass, passToPass } = task.expected;
  const lists = { fail_to_pass: failToPass, pass_to_pass: passToPass };
  await put(folder, `tests/${EXPECTED_FILE}`, `${JSON.stringify(lists, undefined, 1)}\n`);
}

async function put(
  folder: string,
  name: string,
  content: Uint8Array | string,
  mode = 0o644,
): Promise<void> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content, { flag: 'wx' });
  // The umask has no say: the execute bit is part of the hash.
  await chmod(file, mode);
}

function solveScript(workdir: string): string {
  return `#!/bin/sh
# The known fix.
set -e
here=$(cd "$(dirname "$0")" && pwd)
cd "\${WORKDIR:-${shellWord(workdir)}}"
git apply --whitespace=nowarn "$here/fix.patch"
`;
}

function writeFailure(folder: string, error: unknown): unknown {
  if (error instanceof VivariumError) return error;
  return new VivariumError(
    'out_unwritable',
    `${folder} cannot be written: ${messageOf(error)}`,
    'Choose another folder with --out, or free some space.',
    error,
  );
}
