import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, VivariumError } from '../../lib/index.ts';
import type { Failure, Readiness, ServerAccess } from '../servers/types.ts';
import { createActivityMeter, type ActivityMeter } from './activity.ts';
import { failureOfExit, foreignFailure, silentFailure, stalledFailure } from './failure.ts';
import type { ServerContext } from './launch-context.ts';
import type { Launched } from './launch.ts';
import { pauseUnless } from './pause.ts';
import { listensOn } from './port-owner.ts';
import { generateOneToken } from './probe.ts';
import { countMemoryKills } from './process-table.ts';

/** How a launch came out. */
export type LaunchOutcome =
  | {
      kind: 'ready';
      access: ServerAccess;
      contextTokens: number | null;
      /** When the engine first answered with our name, on the clock of `performance`. */
      answeredAt: number;
    }
  | { kind: 'failed'; failure: Failure };

/** A look at a loading server must not wait for one that accepts and says nothing. */
const REACH_TIMEOUT_MS = 5_000;

type Answer = Extract<Readiness, { state: 'ready' }>;

/**
 * Waits until the server is ready: alive, listing our name to our key, and one token generated.
 * There is no limit of time as long as it does something.
 *
 * @throws the reason of the context's signal
 */
export async function untilReady(
  context: ServerContext,
  launched: Launched,
  onTick: (access: ServerAccess | null) => void,
): Promise<LaunchOutcome> {
  const meter = createActivityMeter(context.finder, launched.output);
  const watcher = watchLoading(context, launched, meter, onTick);
  try {
    const answer = await untilAnswer(context, launched, watcher);
    if ('failure' in answer) return { kind: 'failed', failure: answer.failure };
    const answeredAt = performance.now();
    const failure = await untilToken(context, answer.access, watcher);
    if (failure !== null) return { kind: 'failed', failure };
    const { contextTokens } = answer.readiness;
    return { kind: 'ready', access: answer.access, contextTokens, answeredAt };
  } finally {
    watcher.close();
  }
}

interface LoadWatcher {
  /** Settles with the failure when the server ends or does nothing any more. */
  readonly failed: Promise<Failure>;
  failure(): Failure | null;
  /** Aborted when it has failed. */
  readonly over: AbortSignal;
  close(): void;
}

function watchLoading(
  context: ServerContext,
  launched: Launched,
  meter: ActivityMeter,
  onTick: (access: ServerAccess | null) => void,
): LoadWatcher {
  const { limits, log, board } = context;
  const failed = Promise.withResolvers<Failure>();
  const over = new AbortController();
  let failure: Failure | null = null;
  let open = true;
  const fail = (found: Failure): void => {
    if (!open || failure !== null) return;
    failure = found;
    failed.resolve(found);
    over.abort();
  };
  void exitFailure(context, launched, false).then(fail);
  const timer = setInterval(() => {
    onTick(launched.access);
    launched.proveAgain();
    const told = launched.told();
    if (told !== null) fail(failureOfTold(context, told));
    if (meter.look() <= limits.stallMs) return;
    const doing = board.status().progress ?? 'loading the model';
    fail(stalledFailure(log, Math.round(limits.stallMs / 1_000), `It stalled while ${doing}`));
  }, limits.tickMs);
  return {
    failed: failed.promise,
    failure: () => failure,
    over: over.signal,
    close: () => {
      open = false;
      clearInterval(timer);
    },
  };
}

/** Settles when the server ends by itself, or must: why, by all it had to say. */
export async function exitFailure(
  context: ServerContext,
  launched: Launched,
  wasReady: boolean,
): Promise<Failure> {
  const exit = await Promise.race([launched.process.exited, launched.broken]);
  if (exit !== null) await launched.process.drained;
  return failureOfExit({
    engine: context.request.engine,
    log: context.log,
    exit,
    outOfMemoryKilled: countMemoryKills() > launched.memoryKills,
    portTaken: isTaken(launched.access),
    wasReady,
    told: launched.told(),
  });
}

/** Of its own processes none is left to listen there. */
function isTaken(access: ServerAccess | null): boolean {
  return access !== null && listensOn(Number(new URL(access.root).port), () => []) === false;
}

function failureOfTold(context: ServerContext, told: Failure): Failure {
  const { engine } = context.request;
  const lines = context.log.lines();
  return engine.classify({ lines, exit: null, outOfMemoryKilled: false }) ?? told;
}

async function untilAnswer(
  context: ServerContext,
  launched: Launched,
  watcher: LoadWatcher,
): Promise<{ access: ServerAccess; readiness: Answer } | { failure: Failure }> {
  const { limits, signal } = context;
  const wake = AbortSignal.any([signal, watcher.over]);
  let foreignSince: number | null = null;
  for (;;) {
    signal.throwIfAborted();
    const failure = watcher.failure();
    if (failure !== null) return { failure };
    const { access } = launched;
    const readiness = access === null ? null : await look(context, access);
    if (access !== null && readiness?.state === 'ready') return { access, readiness };
    if (access !== null && readiness?.state === 'foreign') {
      foreignSince ??= performance.now();
      if (performance.now() - foreignSince > limits.foreignMs) {
        return { failure: foreignFailure(readiness.detail, Number(new URL(access.root).port)) };
      }
    } else foreignSince = null;
    await pauseUnless(limits.pollMs, wake);
  }
}

async function look(context: ServerContext, access: ServerAccess): Promise<Readiness | null> {
  const pids = (): number[] => context.finder.find().map(({ pid }) => pid);
  // Asked of the kernel first, so that no stranger is sent the key.
  if (listensOn(Number(new URL(access.root).port), pids) === false) {
    return { state: 'foreign', detail: 'another process listens on it' };
  }
  try {
    return await context.request.engine.reach({
      root: access.root,
      key: access.key,
      servedName: access.servedName,
      signal: AbortSignal.any([context.signal, AbortSignal.timeout(REACH_TIMEOUT_MS)]),
    });
  } catch {
    // Nothing listens yet, or it is too busy to answer; the watcher tells when it is over.
    return null;
  }
}

async function untilToken(
  context: ServerContext,
  access: ServerAccess,
  watcher: LoadWatcher,
): Promise<Failure | null> {
  const giveUp = new AbortController();
  const signal = AbortSignal.any([context.signal, giveUp.signal]);
  const token = generateOneToken(access, signal).then(
    () => null,
    (error: unknown) => silentFailure(context.log, whyOf(error)),
  );
  const failure = await Promise.race([token, watcher.failed]);
  giveUp.abort();
  context.signal.throwIfAborted();
  // A server that died is told as that, not as the broken connection it leaves.
  if (failure?.kind !== 'no_token') return failure;
  return (await Promise.race([watcher.failed, sleep(200, null)])) ?? failure;
}

function whyOf(error: unknown): string {
  return error instanceof VivariumError ? error.message : messageOf(error);
}
