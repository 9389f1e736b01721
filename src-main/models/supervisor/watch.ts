import type { Failure, ServerAccess, ServerFigures } from '../servers/types.ts';
import { createActivityMeter, type ActivityMeter } from './activity.ts';
import type { Demand } from './demand.ts';
import { hungFailure, unreachableFailure } from './failure.ts';
import { createHealthCheck } from './health-check.ts';
import type { ServerContext } from './launch-context.ts';
import type { Launched } from './launch.ts';
import { pauseUnless } from './pause.ts';
import { generateOneToken } from './probe.ts';
import { exitFailure } from './readiness.ts';

/** Why a ready server is no longer wanted or no longer there. */
export type WatchEnd = { kind: 'idle' } | { kind: 'failed'; failure: Failure };

/**
 * Watches a ready server: by its process, by what it does while requests run, and for idleness.
 *
 * @throws the reason of the context's signal
 */
export async function watchReady(
  context: ServerContext,
  launched: Launched,
  access: ServerAccess,
  demand: Demand,
  onTick: () => void,
): Promise<WatchEnd> {
  const { limits, signal } = context;
  let failure: Failure | null = null;
  const ended = new AbortController();
  void exitFailure(context, launched, true).then((found) => {
    failure = found;
    ended.abort();
  });
  const wake = AbortSignal.any([signal, ended.signal]);
  const hang = createHangCheck(context, access);
  const health = createHealthCheck(context, access);
  const figures = createFiguresReader(context, access);
  for (;;) {
    await pauseUnless(limits.tickMs, wake);
    signal.throwIfAborted();
    if (failure !== null) return { kind: 'failed', failure };
    onTick();
    if (await figures.read(false)) demand.touch();
    demand.look(figures.running());
    const detail = await health.failed();
    signal.throwIfAborted();
    if (detail !== null) {
      return { kind: 'failed', failure: failure ?? unreachableFailure(context.log, detail) };
    }
    if (await hang.found(demand.busy(), figures.moved)) {
      const seconds = Math.round((limits.quietMs + limits.probeMs) / 1_000);
      return { kind: 'failed', failure: hungFailure(context.log, seconds) };
    }
    if (!isIdle(context, demand)) continue;
    // A request may have come since the last look at the figures.
    if (await figures.read(true)) demand.touch();
    demand.look(figures.running());
    if (isIdle(context, demand)) return { kind: 'idle' };
  }
}

function isIdle(context: ServerContext, demand: Demand): boolean {
  const { idleMinutes } = context.request.profile;
  if (idleMinutes === null || demand.busy()) return false;
  return performance.now() - demand.idleSince() >= idleMinutes * context.limits.idleMinuteMs;
}

interface FiguresReader {
  /** Reads them if it is time or `now`; whether a request ran since the last time. */
  read(now: boolean): Promise<boolean>;
  running(): number | null;
  /** Whether counters have moved since the last call. */
  moved(): boolean;
}

const FIGURES_TIMEOUT_MS = 2_000;

function createFiguresReader(context: ServerContext, access: ServerAccess): FiguresReader {
  let readAt = -Infinity;
  let last: ServerFigures | null = null;
  let moved = false;
  return {
    read: async (now) => {
      // While requests run their end is looked for: until it is seen, nobody may stop the server.
      const everyMs = (last?.running ?? 0) > 0 ? 0 : context.limits.figuresMs;
      if (!now && performance.now() - readAt < everyMs) return false;
      readAt = performance.now();
      const next = await readFigures(context, access);
      // Servers without figures, and one too busy to answer, leave the last word as it was.
      if (next === null) return false;
      const changed = last !== null && counters(last) !== counters(next);
      last = next;
      moved ||= changed;
      return changed;
    },
    running: () => last?.running ?? null,
    moved: () => {
      const was = moved;
      moved = false;
      return was;
    },
  };
}

async function readFigures(
  context: ServerContext,
  access: ServerAccess,
): Promise<ServerFigures | null> {
  try {
    return await context.request.engine.figures({
      root: access.root,
      key: access.key,
      servedName: access.servedName,
      signal: AbortSignal.any([context.signal, AbortSignal.timeout(FIGURES_TIMEOUT_MS)]),
    });
  } catch {
    return null;
  }
}

function counters(figures: ServerFigures): string {
  return `${figures.promptTokens} ${figures.generatedTokens} ${figures.firstTokenCount}`;
}

interface HangCheck {
  found(busy: boolean, moved: () => boolean): Promise<boolean>;
}

/**
 * A server hangs when requests run while it neither counts tokens nor works, and a request for one
 * token gets none either. A long prefill works: it is left alone.
 */
function createHangCheck(context: ServerContext, access: ServerAccess): HangCheck {
  const { limits } = context;
  // What it prints does not count: vLLM's line of statistics goes on while its engine hangs.
  const newMeter = (): ActivityMeter => createActivityMeter(context.finder, () => 0);
  let meter = newMeter();
  const reset = (): void => {
    meter = newMeter();
  };
  return {
    found: async (busy, moved) => {
      if (!busy || moved()) {
        reset();
        return false;
      }
      if (meter.look() < limits.quietMs) return false;
      const answered = await answersWithin(context, access, limits.probeMs);
      context.signal.throwIfAborted();
      // What it did meanwhile counts as well: the probe may wait in line behind a long request.
      if (answered || meter.look() < limits.probeMs / 2) {
        reset();
        return false;
      }
      return true;
    },
  };
}

async function answersWithin(
  context: ServerContext,
  access: ServerAccess,
  limitMs: number,
): Promise<boolean> {
  try {
    const signal = AbortSignal.any([context.signal, AbortSignal.timeout(limitMs)]);
    await generateOneToken(access, signal);
    return true;
  } catch {
    return false;
  }
}
