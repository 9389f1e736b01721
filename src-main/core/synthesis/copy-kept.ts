import { cp, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Task } from '../../evaluation/index.ts';
import { codeOf, makeFolder, unwritable, VivariumError } from '../../lib/index.ts';
import { keepCalibration, type Calibration } from '../../synthesis/index.ts';

/**
 * The absolute path of a folder that is new or empty; nothing is made. Asked before hours of probes.
 * @throws VivariumError `out_unwritable`
 */
export async function emptyOut(given: string): Promise<string> {
  const folder = path.resolve(given);
  const names = await readdir(folder).catch((fault: unknown) => {
    if (codeOf(fault) === 'ENOENT') return [];
    throw unwritable(folder, fault);
  });
  if (names.length === 0) return folder;
  throw new VivariumError(
    'out_unwritable',
    `${folder} is not empty`,
    'Choose a new or an empty folder: nothing is overwritten.',
  );
}

/** Copies the kept tasks with what was found of them. @throws VivariumError `out_unwritable`, `disk_full` */
export async function copyKept(
  out: string,
  tasks: readonly Task[],
  calibration: Calibration,
): Promise<void> {
  const kept = calibration.tasks.filter((task) => task.kept);
  const names = new Set(kept.map(({ name }) => name));
  try {
    await makeFolder(out);
    for (const task of tasks) {
      if (!names.has(task.name)) continue;
      // Links stay as they are written: a task may only have such as stay within it.
      const verbatimSymlinks = true;
      const errorOnExist = true;
      await cp(task.folder, path.join(out, task.name), {
        ...{ recursive: true, force: false, errorOnExist, verbatimSymlinks },
      });
    }
    await keepCalibration(out, { ...calibration, tasks: kept });
  } catch (fault) {
    throw unwritable(out, fault);
  }
}
