import {
  analyse,
  grade,
  gradeIn,
  type RunParts,
  type RunPlan,
  type Task,
} from '../../evaluation/index.ts';
import { processIdentity, VivariumError } from '../../lib/index.ts';
import { parseModelSpec, type ModelSpec } from '../../models/index.ts';
import { findImage } from '../../workspaces/index.ts';
import type { Environment } from '../environment.ts';
import { openSessionModel } from '../session-model.ts';
import { openEnergy } from './energy.ts';
import { entrySetup } from './entries.ts';
import { freeRoom } from './room.ts';
import type { EvalOptions } from './types.ts';

/** The rooms as a run uses them. `specs`: of entries whose record leaves secrets out, by label. */
export function runParts(
  environment: Environment,
  plan: RunPlan,
  specs: ReadonlyMap<string, ModelSpec>,
  options: EvalOptions & { signal: AbortSignal },
): RunParts {
  const { store, config } = environment;
  const { signal } = options;
  let modelPid: number | null = null;
  return {
    ...{ home: config.home, store, owner: processIdentity(), signal },
    openWorkspace: (open) => environment.openWorkspace(open),
    imageTree: (image, folder) => environment.imageTree(image, folder, signal),
    imageOf: (task) => imageOf(environment, task),
    async openModel(entry) {
      const setup = await entrySetup(environment, entry);
      const { maxContextTokens } = plan.settings;
      const { model } = await openSessionModel(
        environment,
        specs.get(entry.label) ?? parseModelSpec(entry.model),
        {
          signal,
          contextTokens:
            maxContextTokens || (setup.maxContextTokens ?? setup.scaffold.limits.maxContextTokens),
          parallel: plan.settings.workers,
          phase: (text) => options.onPhase?.(text),
        },
      );
      modelPid = model.pid;
      return model;
    },
    setupOf: (entry) => entrySetup(environment, entry),
    judge: { grade, gradeIn },
    analyse,
    openEnergy: () => openEnergy(environment.config.env),
    room: () => freeRoom(environment, modelPid),
    onProgress: (progress) => options.onProgress?.(progress),
  };
}

/** @throws VivariumError `image_missing` */
export async function imageOf(environment: Environment, task: Task): Promise<string> {
  const { reference } = task.image;
  const found = reference === null ? null : await findImage(await environment.engine(), reference);
  if (found !== null) return found.id;
  throw new VivariumError(
    'image_missing',
    reference === null
      ? `the image of ${task.name} has to be built from its Dockerfile, and nothing is built here`
      : `image ${reference} of ${task.name} is not on this machine`,
    'Bring it with `vivarium images import FILE` (an archive made by `docker save`); `vivarium tasks preflight` lists all that is missing.',
  );
}
