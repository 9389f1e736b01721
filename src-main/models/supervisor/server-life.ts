import { setImmediate } from 'node:timers/promises';
import type { Failure, ServerAccess, ServerPlan } from '../servers/types.ts';
import { VivariumError } from '../../lib/index.ts';
import { createMemoryReader } from '../telemetry/index.ts';
import { adjustment, adjustPlan } from './adjust.ts';
import type { Demand } from './demand.ts';
import { stuckFailure, thrownFailure } from './failure.ts';
import { writeAccess } from './files.ts';
import { askGpuPids, untilGpuFree } from './gpu.ts';
import type { ServerContext } from './launch-context.ts';
import { launch, type Launched } from './launch.ts';
import { pauseUnless } from './pause.ts';
import { pickPort } from './ports.ts';
import { untilReady, type LaunchOutcome } from './readiness.ts';
import { createRestartPolicy, type RestartPolicy } from './restart-policy.ts';
import { watchReady } from './watch.ts';

/** How the life of a server ended; `stopped` = because the context's signal was aborted. */
export type LifeEnd = { kind: 'idle' } | { kind: 'stopped' } | { kind: 'failed'; failure: Failure };

/** What changes from try to try. */
interface Tries {
  plan: ServerPlan;
  /** 0 = the next one is picked. */
  port: number;
  portTries: number;
  adjusted: boolean;
  policy: RestartPolicy;
}

/**
 * Starts the server, watches it, and starts it again as its failures allow, until it is stopped, idle
 * or has failed for good. Nothing of it is left then, unless the failure says so.
 */
export async function live(
  context: ServerContext,
  demand: Demand,
  onReady: () => void,
): Promise<LifeEnd> {
  const tries: Tries = {
    plan: context.request.plan,
    port: 0,
    portTries: 1,
    adjusted: false,
    policy: createRestartPolicy(context.limits),
  };
  for (;;) {
    const end = await liveOnce(context, tries, demand, onReady);
    if (end.kind !== 'failed' || end.failure.kind === 'stuck') return end;
    if (context.signal.aborted) return { kind: 'stopped' };
    if (!(await prepareNext(context, tries, end.failure))) return end;
    if (context.signal.aborted) return { kind: 'stopped' };
  }
}

/** One process, from its start to its end. */
async function liveOnce(
  context: ServerContext,
  tries: Tries,
  demand: Demand,
  onReady: () => void,
): Promise<LifeEnd> {
  const spawnedAt = performance.now();
  let launched: Launched;
  try {
    if (tries.port === 0 && !context.request.engine.choosesPort) tries.port = await pickPort();
    context.log.restart();
    launched = await launch(context, tries.plan, tries.port);
  } catch (error) {
    if (!(error instanceof VivariumError)) throw error;
    return { kind: 'failed', failure: thrownFailure(error) };
  }
  let end: LifeEnd;
  try {
    end = await serve(context, launched, tries, demand, spawnedAt, onReady);
  } catch (error) {
    if (!context.signal.aborted) {
      await endAll(context, launched, tries.plan);
      throw error;
    }
    end = { kind: 'stopped' };
  }
  showEnding(context, end);
  const left = await endAll(context, launched, tries.plan);
  return left.length > 0 ? { kind: 'failed', failure: stuckFailure(left) } : end;
}

async function serve(
  context: ServerContext,
  launched: Launched,
  tries: Tries,
  demand: Demand,
  spawnedAt: number,
  onReady: () => void,
): Promise<LifeEnd> {
  const outcome = await untilReady(context, launched, (access) => tick(context, access));
  if (outcome.kind === 'failed') return outcome;
  tries.port = Number(new URL(outcome.access.root).port);
  becomeReady(context, launched, tries.plan, outcome, spawnedAt);
  demand.touch();
  onReady();
  void compareMemory(context, tries.plan);
  return watchReady(context, launched, outcome.access, demand, () => tick(context, outcome.access));
}

function becomeReady(
  context: ServerContext,
  launched: Launched,
  plan: ServerPlan,
  outcome: Extract<LaunchOutcome, { kind: 'ready' }>,
  spawnedAt: number,
): void {
  const now = performance.now();
  launched.proveAgain();
  writeAccess(context.files, outcome.access);
  context.board.update({
    state: 'ready',
    progress: null,
    failure: null,
    address: outcome.access.root,
    contextTokens: outcome.contextTokens ?? plan.contextTokens,
    sequences: plan.sequences,
    timings: {
      readyMs: Math.round(now - spawnedAt),
      ownMs: Math.round(now - outcome.answeredAt),
    },
  });
}

function tick(context: ServerContext, access: ServerAccess | null): void {
  const { name, board, finder, options, request } = context;
  if (options.onTick === undefined) return;
  const pids = finder.find().map(({ pid }) => pid);
  const { engine } = request;
  options.onTick({ name, at: Date.now(), status: board.status(), pids, engine, access });
}

/** Estimate beside measurement; a failure to measure is no failure of the server. */
async function compareMemory(context: ServerContext, plan: ServerPlan): Promise<void> {
  const measure = context.options.measure ?? sumOfShares;
  // Whoever waits for the server goes first.
  await setImmediate();
  const pids = context.finder.find().map(({ pid }) => pid);
  const measuredBytes = await measure(pids, plan).catch(() => null);
  const estimatedBytes = plan.estimate.totalBytes;
  const { state } = context.board.status();
  if (state !== 'ready' && state !== 'busy') return;
  if (measuredBytes === null || estimatedBytes <= 0) return;
  const ratio = measuredBytes / estimatedBytes;
  context.board.update({ memory: { estimatedBytes, measuredBytes, ratio } });
}

async function sumOfShares(pids: readonly number[], plan: ServerPlan): Promise<number | null> {
  return plan.device === 'cpu' ? createMemoryReader().read(pids) : null;
}

/** What others see while its processes are ended. */
function showEnding(context: ServerContext, end: LifeEnd): void {
  const { board, request } = context;
  if (end.kind === 'failed') {
    if (board.status().state === 'stopping') return;
    const progress = 'ending what is left of it';
    board.update({ state: 'loading', progress, pid: null, address: null });
  }
  if (end.kind === 'idle') {
    const why = `no request for ${request.profile.idleMinutes ?? 0} minutes`;
    // Whoever wonders later finds it in the log.
    context.log.add(`vivarium: stopping, ${why}`);
    board.update({ state: 'stopping', progress: why });
  }
}

/** Its memory is free for the next server when this resolves; returns what survives. */
async function endAll(
  context: ServerContext,
  launched: Launched,
  plan: ServerPlan,
): Promise<number[]> {
  const left = await launched.end();
  if (plan.device !== 'cpu' && left.length === 0) {
    const ask = context.options.gpuPids ?? askGpuPids;
    await untilGpuFree(context.finder.seen(), ask, context.limits.killMs);
  }
  return left;
}

/** Whether another try makes sense; waits as long as it should and says what it does. */
async function prepareNext(
  context: ServerContext,
  tries: Tries,
  failure: Failure,
): Promise<boolean> {
  const { board, limits, signal } = context;
  const again = (progress: string): void => {
    board.update({ state: 'loading', progress, failure });
  };
  if (failure.retryWith?.newPort === true && tries.portTries < limits.portTries) {
    tries.portTries += 1;
    tries.port = 0;
    again('trying another port');
    return true;
  }
  const adjusted = tries.adjusted ? null : adjustPlan(tries.plan, failure);
  if (adjusted !== null) {
    again(`trying with ${adjustment(tries.plan, adjusted)}: ${failure.cause}`);
    tries.adjusted = true;
    tries.plan = adjusted;
    board.update({ plan: adjusted });
    return true;
  }
  if (failure.deterministic) return false;
  const waitMs = tries.policy.next();
  if (waitMs === null) return false;
  board.update({ restarts: board.status().restarts + 1 });
  again(`starting again in ${Math.ceil(waitMs / 1_000)} s: ${failure.cause}`);
  await pauseUnless(waitMs, signal);
  return true;
}
