import { runEvaluation, type RunPlan } from '../../evaluation/index.ts';
import type { ModelSpec } from '../../models/index.ts';
import type { Environment } from '../environment.ts';
import { showRun } from './list.ts';
import { planRun } from './plan-run.ts';
import { runParts } from './run-parts.ts';
import type { EvalOptions, EvalRequest, RunDetails } from './types.ts';

/** Starts a new run and sees it through; see `Evaluations.run`. */
export async function startRun(
  environment: Environment,
  request: EvalRequest,
  options: EvalOptions,
): Promise<RunDetails> {
  const { plan, specs } = await planRun(environment, request, options);
  return runPlanned(environment, plan, specs, options);
}

/** Runs what is left of a planned run, and ends it in order when the core closes. */
export async function runPlanned(
  environment: Environment,
  plan: RunPlan,
  specs: ReadonlyMap<string, ModelSpec>,
  options: EvalOptions,
): Promise<RunDetails> {
  const closing = new AbortController();
  const given = options.signal ?? new AbortController().signal;
  given.throwIfAborted();
  const signal = AbortSignal.any([given, closing.signal]);
  const { store } = environment;
  const unsubscribe = store.subscribe(({ sessionId, body }) => {
    if (sessionId !== plan.runId) return;
    if (body.type === 'run.created' || body.type === 'run.resumed')
      options.onRecorded?.(plan.runId);
  });
  const running = runEvaluation(plan, runParts(environment, plan, specs, { ...options, signal }));
  const release = environment.onClose(async () => {
    closing.abort(new Error('the app is closing'));
    await running.catch(() => undefined);
  });
  try {
    await running;
    return showRun(environment, plan.runId);
  } finally {
    release();
    unsubscribe();
  }
}
