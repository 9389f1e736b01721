import { readTaskSet, regradeCell, type Task } from '../../evaluation/index.ts';
import type { Environment } from '../environment.ts';
import { createdOf } from './list.ts';
import { refuseRunning } from './resume.ts';
import { imageOf } from './run-parts.ts';
import type { Evaluations, Regraded } from './types.ts';
import { fitLimits, probeEngine } from '../../workspaces/index.ts';

/** Makes the verdicts of a run again; see `Evaluations.regrade`. */
export async function regradeRun(
  environment: Environment,
  idOrPrefix: string,
  options: NonNullable<Parameters<Evaluations['regrade']>[1]>,
): Promise<Regraded> {
  const { store, config } = environment;
  const { runId } = store.run(idOrPrefix);
  refuseRunning(environment, runId);
  const created = createdOf(environment, runId);
  const set = await readTaskSet(created.tasksFolder);
  const tasks = new Map(set.tasks.map((task) => [task.name, task]));
  const signal = options.signal ?? new AbortController().signal;
  const limits = options.tests ? await defaultLimits(environment) : null;
  const cells = store.cells(runId).filter(({ attemptId }) => attemptId !== null);
  const result: Regraded = { runId, cells: 0, changed: [], skipped: [] };
  for (const [index, cell] of cells.entries()) {
    signal.throwIfAborted();
    const entry = created.entries[cell.entry]?.label ?? '';
    const at = { task: cell.task, entry, seed: cell.seed };
    const done = await regradeCell(cell, tasks.get(cell.task), {
      ...{ home: config.home, store, signal, limits },
      openWorkspace: (open) => environment.openWorkspace(open),
      imageTree: (image, folder) => environment.imageTree(image, folder, signal),
      imageOf: (task: Task) => imageOf(environment, task),
    });
    if ('why' in done) result.skipped.push({ ...at, why: done.why });
    else {
      result.cells += 1;
      if (done.before !== done.after) result.changed.push({ ...at, ...done });
    }
    options.onProgress?.(index + 1, cells.length);
  }
  return result;
}

async function defaultLimits(environment: Environment) {
  return fitLimits({}, await probeEngine(await environment.engine())).limits;
}
