import { setTimeout as sleep } from 'node:timers/promises';

/** How often each kind of failure is tried again, and how long to wait in between. */
export interface RetryPolicy {
  /** 408, 409, 429, 5xx, connection reset, reply cut off. */
  temporaryRetries: number;
  /** Nothing listens there. */
  unreachableRetries: number;
  /** 400 and 422 with no known cause. */
  badRequestRetries: number;
  /** First pause; doubles each time. */
  firstPauseMs: number;
  longestPauseMs: number;
  /**
   * How long a turn waits in all for a server that says it is paused (429, 503), however many tries
   * that takes. 0 = as after any other temporary failure.
   */
  longestWaitMs: number;
}

/**
 * Ours: about 20 s in all for a server that fails and 4 s for one that is gone, since a local server
 * either comes back at once or not at all.
 */
export const DEFAULT_RETRIES: RetryPolicy = {
  temporaryRetries: 5,
  unreachableRetries: 3,
  badRequestRetries: 1,
  firstPauseMs: 500,
  longestPauseMs: 30_000,
  longestWaitMs: 0,
};

/** A server that asks for a longer wait than this is taken as failed. */
const LONGEST_ASKED_PAUSE_MS = 120_000;

/**
 * Pause before retry number `retry` (1-based): doubling, and between half and all of it by chance so
 * that parallel attempts spread. What the server asked for wins.
 */
export function pauseMs(policy: RetryPolicy, retry: number, askedMs: number | null): number {
  if (askedMs !== null) return Math.min(askedMs, LONGEST_ASKED_PAUSE_MS);
  const full = Math.min(policy.firstPauseMs * 2 ** (retry - 1), policy.longestPauseMs);
  return full * (0.5 + Math.random() / 2);
}

/** Resolves after the pause; rejects with the signal's reason when it is aborted first. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal ? { signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
