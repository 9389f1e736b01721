import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Resolves after the pause, or at once when the signal is aborted. (A race against a promise that
 * lives as long as the server would keep memory for every turn.)
 */
export async function pauseUnless(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
