import { checkTasks, readTaskSet, type RunPlan } from '../../evaluation/index.ts';
import { isAlive, VivariumError } from '../../lib/index.ts';
import { fitLimits, fitParallel, probeEngine } from '../../workspaces/index.ts';
import type { Environment } from '../environment.ts';
import { createdOf } from './list.ts';
import { runPlanned } from './run.ts';
import type { Evaluations, RunDetails } from './types.ts';

/** Does what is left of a run; see `Evaluations.resume`. */
export async function resumeRun(
  environment: Environment,
  idOrPrefix: string,
  options: NonNullable<Parameters<Evaluations['resume']>[1]>,
): Promise<RunDetails> {
  const { runId } = environment.store.run(idOrPrefix);
  refuseRunning(environment, runId);
  const created = createdOf(environment, runId);
  const set = await readTaskSet(created.tasksFolder);
  const machine = await probeEngine(await environment.engine());
  const { parallel } = fitParallel(options.workers ?? created.settings.workers, machine);
  const { name, tasksFolder, tasksHash, entries, seeds, environment: facts } = created;
  const plan: RunPlan = {
    ...{ runId, name, tasksFolder, tasksHash, entries, seeds, environment: facts },
    tasks: checkTasks(created.tasks, set),
    settings: { ...created.settings, workers: parallel },
    limits: fitLimits({}, machine).limits,
    retryInfra: options.retryInfra ?? false,
  };
  return runPlanned(environment, plan, new Map(), options);
}

/** @throws VivariumError `usage` when a process that lives runs it */
export function refuseRunning({ store }: Environment, runId: string): void {
  store.markInterrupted(isAlive);
  if (store.run(runId).state !== 'running') return;
  throw new VivariumError(
    'usage',
    `run ${runId} is running in another process`,
    'Wait for it, or stop it there with Ctrl-C.',
  );
}
