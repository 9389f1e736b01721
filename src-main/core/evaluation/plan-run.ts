import os from 'node:os';
import type { RunSettings } from '../../contract/index.ts';
import { readTaskSet, type RunPlan, type Task, type TaskSet } from '../../evaluation/index.ts';
import { newId, VivariumError } from '../../lib/index.ts';
import type { ModelSpec } from '../../models/index.ts';
import { fitLimits, fitParallel, probeEngine } from '../../workspaces/index.ts';
import { checkModel } from '../check-model.ts';
import type { Environment } from '../environment.ts';
import { about } from '../handlers/about.ts';
import { planEntries } from './entries.ts';
import { findTasks, type Preset } from './presets.ts';
import type { EvalOptions, EvalRequest } from './types.ts';

const WORKERS = 2;
/** Leaf's own runner tries twice; an engine under load may need once more. */
const INFRA_RETRIES = 2;

/**
 * Merges flags, preset and defaults, and checks all that is cheap to check.
 * @throws VivariumError `usage`, `task_invalid`, `model_*`, `scaffold_invalid`, `docker_*`
 */
export async function planRun(
  environment: Environment,
  request: EvalRequest,
  { onNote }: Pick<EvalOptions, 'onNote'>,
): Promise<{ plan: RunPlan; specs: Map<string, ModelSpec> }> {
  const { home } = environment.config;
  const { folder, preset } = await findTasks(request.tasks, { home, data: request.data });
  const set = await readTaskSet(folder);
  for (const { folder: place, reason } of set.refused) onNote?.(`left out: ${place}: ${reason}`);
  const tasks = chooseTasks(set, request);
  const planned = await planEntries(environment, request);
  await checkModels(environment, request.models);
  const machine = await probeEngine(await environment.engine());
  const { parallel, note } = fitParallel(request.workers ?? WORKERS, machine);
  const { limits, notes } = fitLimits({}, machine);
  for (const text of note === null ? notes : [...notes, note]) onNote?.(text);
  const settings = settingsOf(request, preset, parallel);
  return {
    plan: {
      runId: newId(),
      name: request.name ?? preset?.name ?? nameOf(folder),
      ...{ tasksFolder: set.folder, tasksHash: set.hash, tasks, settings, limits },
      entries: planned.map(({ entry }) => entry),
      seeds: seedsOf(request, preset),
      environment: await environmentFacts(environment),
    },
    specs: new Map(planned.map(({ entry, spec }) => [entry.label, spec])),
  };
}

/** A run of hours must not fail at its second entry for what could be seen at the start. */
async function checkModels(environment: Environment, models: readonly string[]): Promise<void> {
  // A trainer's proxy may be slow to answer, which is no fault of the request.
  if (environment.config.trainer) return;
  for (const model of models) {
    const found = await checkModel(environment, model, new AbortController().signal);
    if (found.state !== 'missing') continue;
    throw new VivariumError('model_spec_invalid', `${model}: ${found.found}`, found.remedy ?? '');
  }
}

function chooseTasks({ tasks, folder }: TaskSet, { only, limit }: EvalRequest): Task[] {
  const unknown = only?.find((name) => !tasks.some((task) => task.name === name));
  if (unknown !== undefined) {
    throw new VivariumError(
      'usage',
      `there is no task ${unknown} in ${folder}`,
      `Its tasks are ${tasks
        .slice(0, 10)
        .map(({ name }) => name)
        .join(', ')}${tasks.length > 10 ? ', ...' : ''}.`,
    );
  }
  const chosen = tasks.filter(({ name }) => only === undefined || only.includes(name));
  return chosen.slice(0, limit ?? chosen.length);
}

function settingsOf(request: EvalRequest, preset: Preset | null, workers: number): RunSettings {
  const { temperature } = request;
  const seconds = request.timeLimitSeconds ?? preset?.timeLimitSeconds ?? 0;
  return {
    maxSteps: request.maxSteps ?? preset?.maxSteps ?? 0,
    maxContextTokens: request.maxContext ?? preset?.maxContextTokens ?? 0,
    maxTokensPerTurn: request.maxTokensPerTurn ?? preset?.maxTokensPerTurn ?? 0,
    timeLimitMs: seconds * 1000,
    sampling: { ...preset?.sampling, ...(temperature !== undefined && { temperature }) },
    workers,
    infraRetries: request.infraRetries ?? INFRA_RETRIES,
    ...(request.recordTokens && { recordTokens: true }),
    preset: preset?.name ?? null,
  };
}

function seedsOf({ seeds }: EvalRequest, preset: Preset | null): number[] {
  if (seeds === undefined) return Array.from({ length: preset?.seeds ?? 1 }, (_, seed) => seed);
  return [...new Set(seeds)];
}

function nameOf(folder: string): string {
  return folder.split(/[\\/]/).findLast((part) => part !== '') ?? 'run';
}

/** What a report needs to say where figures were made. */
async function environmentFacts(environment: Environment): Promise<Record<string, string>> {
  const engine = await environment.engine();
  const { version } = await about(environment.config.home);
  const { memory } = await environment.models.machine();
  return {
    vivarium: version,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch} ${os.release()}`,
    engine: engine.name,
    processor: os.cpus()[0]?.model ?? '?',
    cores: String(os.availableParallelism()),
    memoryBytes: String(memory.totalBytes),
  };
}
