import type { AttemptOutcome, AttemptRequest } from '../types.ts';
import { createBudget } from './budget.ts';
import { createCondenser } from './condense.ts';
import { endingOfError, type Ending } from './endings.ts';
import { createLoopGuard } from './loop-guard.ts';
import { createNudgeCounter } from './nudges.ts';
import { remindedOf } from './reminders.ts';
import { runStep } from './step.ts';
import type { AttemptState } from './state.ts';
import { watchForStop, type Stop } from './stop.ts';
import { createTotals } from './totals.ts';

/**
 * Runs one attempt to its end: model turn, calls, observations, checkpoint, until the model gives its
 * final answer or a limit, a fault or the user ends it. Every ending is an outcome; nothing is thrown.
 * `steps` of the outcome counts those of the interrupted run too when one is resumed; usage and
 * seconds are of this run alone.
 */
export async function runAttempt(request: AttemptRequest): Promise<AttemptOutcome> {
  const startedAt = performance.now();
  const stop = watchForStop(request);
  const state = createState(request, stop);
  const end = await runToEnd(state);
  stop.dispose();
  const { totals, steps } = state;
  return {
    ...end,
    steps,
    usage: totals.usage,
    seconds: {
      model: totals.modelMs / 1000,
      tools: totals.toolsMs / 1000,
      total: (performance.now() - startedAt) / 1000,
      ...(totals.waitedMs > 0 && { waiting: totals.waitedMs / 1000 }),
    },
  };
}

function createState(request: AttemptRequest, stop: Stop): AttemptState {
  return {
    request,
    stop,
    messages: request.resume ? [...request.resume.messages] : [],
    tools: [],
    steps: request.resume?.steps ?? 0,
    budget: createBudget(request.limits, request.contextTokens),
    condenser: createCondenser(request.scaffold.condense),
    guard: createLoopGuard(),
    nudges: createNudgeCounter(),
    totals: createTotals(),
    accountedAt: performance.now(),
  };
}

async function runToEnd(state: AttemptState): Promise<Ending> {
  try {
    await open(state);
    for (;;) {
      const end = await runStep(state);
      if (end) return end;
    }
  } catch (error) {
    return state.stop.ending ?? endingOfError(error);
  }
}

async function open(state: AttemptState): Promise<void> {
  const { scaffold, task, recorder, resume, workspace } = state.request;
  const plain = scaffold.open({ ...task, root: workspace.root });
  const opening = { ...plain, messages: remindedOf(state, plain.messages, 0) };
  state.tools = opening.tools;
  if (!resume) {
    state.messages.push(...opening.messages);
    await recorder.opened(opening);
  }
  state.accountedAt = performance.now();
}
