import type { AttemptRequest } from '../types.ts';
import { ending, type Ending } from './endings.ts';

/** Why a running model turn or tool has to be broken off; the first reason wins. */
export interface Stop {
  /** Aborted with an {@link Ending} as reason. */
  readonly signal: AbortSignal;
  /** The ending, once there is one. */
  readonly ending: Ending | null;
  /** Ends the timer and forgets the listeners. */
  dispose(): void;
}

/** Longest delay a timer can have, about 24 days. */
const MAX_TIMER_MS = 2_147_483_647;

/** Watches the user's cancel, the time limit and the loss of the workspace. */
export function watchForStop(
  request: Pick<AttemptRequest, 'signal' | 'workspace' | 'limits' | 'resume'>,
): Stop {
  const controller = new AbortController();
  let reason: Ending | null = null;
  const stop = (next: Ending): void => {
    if (reason) return;
    reason = next;
    controller.abort(next);
  };
  const cancel = (): void => stop(ending('cancelled'));
  const { timeLimitMs } = request.limits;
  const leftMs = Math.max(0, timeLimitMs - (request.resume?.elapsedMs ?? 0));
  const timer = setTimeout(
    () => stop(ending('max_time', `after ${String(Math.round(timeLimitMs / 1000))} s`)),
    Math.min(leftMs, MAX_TIMER_MS),
  );
  request.signal.addEventListener('abort', cancel, { once: true });
  if (request.signal.aborted) cancel();
  void request.workspace.lost.then((detail) => stop(ending('workspace_lost', detail)));
  return {
    signal: controller.signal,
    get ending() {
      return reason;
    },
    dispose() {
      clearTimeout(timer);
      request.signal.removeEventListener('abort', cancel);
    },
  };
}

/**
 * The result of `work`, or the ending if that comes first by more than `graceMs`. What the abandoned
 * work does later, failing included, is nobody's business any more.
 */
export async function unlessStopped<T>(
  work: Promise<T>,
  stop: Stop,
  graceMs: number,
): Promise<{ done: true; value: T } | { done: false; ending: Ending }> {
  const wait = Promise.withResolvers<{ done: false; ending: Ending }>();
  let timer: NodeJS.Timeout | undefined;
  const stopped = (): void => {
    const why = stop.ending;
    if (why) timer = setTimeout(() => wait.resolve({ done: false, ending: why }), graceMs);
  };
  stop.signal.addEventListener('abort', stopped, { once: true });
  if (stop.signal.aborted) stopped();
  const finished = work.then((value) => ({ done: true as const, value }));
  finished.catch(() => {});
  try {
    return await Promise.race([finished, wait.promise]);
  } catch (error) {
    // An abort makes the work fail: then the stop is the cause, not the failure.
    if (stop.ending) return { done: false, ending: stop.ending };
    throw error;
  } finally {
    clearTimeout(timer);
    stop.signal.removeEventListener('abort', stopped);
  }
}
