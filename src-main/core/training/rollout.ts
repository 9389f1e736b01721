import path from 'node:path';
import { loadScaffold } from '../../agent/index.ts';
import type { RunCell } from '../../contract/index.ts';
import { VivariumError } from '../../lib/index.ts';
import {
  postReward,
  readRolloutRequest,
  type Reward,
  type RolloutRequest,
} from '../../training/index.ts';
import { Environment, RESOURCES } from '../environment.ts';
import { startRun } from '../evaluation/run.ts';
import { scaffoldPath } from '../fix.ts';
import { openRolloutHome } from './rollout-home.ts';
import type { RolloutOptions } from './types.ts';

/** Sent where a trainer's proxy lists no models; it puts the name of its own in place. */
const MODEL_NAME = 'policy';
/** New weights of a large model take minutes to load. */
const LONGEST_WAIT_S = 600;

/**
 * Runs one task as a cell of an evaluation and posts its reward. What came to no verdict posts
 * nothing, since a fault of the machine is no failure of the model. `main` closes what this opens.
 * @throws VivariumError whatever kept the rollout from its verdict, or the reward from its trainer
 */
export async function rollout(main: Environment, options: RolloutOptions): Promise<Reward> {
  const { env } = main.config;
  const request = readRolloutRequest(env);
  await refuseCondensing(request.scaffold);
  const place = await openRolloutHome(main, options);
  const environment = new Environment({
    ...main.config,
    home: place.home,
    // The key of the trainer goes to the trainer; another one of the user must not.
    env: { ...env, VIVARIUM_API_KEY: request.key },
    trainer: {
      ...{ modelName: MODEL_NAME, keyVariable: 'AGL_KEY', seeded: request.seed !== null },
      longestWaitMs: (request.maxWaitSeconds ?? LONGEST_WAIT_S) * 1000,
    },
  });
  const release = main.onClose(() => environment.close());
  try {
    const reward = rewardOf(await runOne(environment, request, options));
    const { eventUrl: url, key } = request;
    await postReward(reward, { url, key, signal: options.signal });
    return reward;
  } finally {
    release();
    await environment.close();
    await place.remove();
  }
}

/** Calls are joined to one sample only while each prompt begins with all that went before. */
async function refuseCondensing(name: string): Promise<void> {
  const scaffold = await loadScaffold(scaffoldPath(name), path.join(RESOURCES, 'scaffolds'));
  if (scaffold.condense === undefined) return;
  throw new VivariumError(
    'usage',
    `the scaffold ${scaffold.name} condenses its history`,
    'Turn that off in its file: a trainer needs histories that only grow.',
  );
}

async function runOne(
  environment: Environment,
  request: RolloutRequest,
  { signal, onPhase }: RolloutOptions,
): Promise<RunCell> {
  const { cells } = await startRun(
    environment,
    {
      ...{ tasks: request.task, models: [request.model], scaffolds: [request.scaffold] },
      ...{ seeds: [request.seed ?? 0], workers: 1, limit: 1, name: 'rollout' },
      // The trainer learns from all that went through its proxy: a second try would be part of it.
      infraRetries: 0,
      recordTokens: true,
      ...{ maxSteps: request.maxSteps, maxContext: request.maxContext },
      ...{ maxTokensPerTurn: request.maxTokens, timeLimitSeconds: request.timeLimitSeconds },
    },
    { signal, ...(onPhase && { onPhase }) },
  );
  signal.throwIfAborted();
  const [cell] = cells;
  if (cell?.state === 'graded') return cell;
  const why = cell?.grading?.infra?.detail ?? cell?.detail ?? 'it did not come to its end';
  throw new VivariumError(
    'workspace_failed',
    `no verdict on the task: ${why}`,
    'No reward was posted; let the trainer run it again.',
  );
}

function rewardOf(cell: RunCell): Reward {
  return {
    value: cell.reward ?? (cell.resolved ? 1 : 0),
    message: `${cell.task}: ${cell.outcome ?? 'graded'} after ${cell.steps} steps`,
    reason: cell.ending ?? 'graded',
  };
}
