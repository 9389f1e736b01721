import { setImmediate } from 'node:timers/promises';
import type { OpenAI } from 'openai';

/** Parts of the package that load without each other; what they need besides is loaded with them. */
const PARTS: ReadonlyArray<() => Promise<unknown>> = [
  () => import('openai/core/streaming'),
  () => import('openai/resources/chat'),
  () => import('openai/resources/responses'),
  () => import('openai/resources/beta'),
  () => import('openai/resources/admin'),
];

/**
 * The client of the `openai` package: 0.1 s and more than 200 files, loaded in parts with a turn of the event loop
 * behind each: in one piece it would hold up all sessions. Safe to call often; may be called ahead of
 * the first turn.
 */
export async function loadClient(): Promise<typeof OpenAI> {
  for (const load of PARTS) {
    await load();
    await setImmediate();
  }
  return (await import('openai')).OpenAI;
}
