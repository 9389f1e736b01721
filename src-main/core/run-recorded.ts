import type { SessionResult } from '../contract/index.ts';
import { runSession, type Remaining, type SessionPlan } from '../fix/index.ts';
import { processIdentity } from '../lib/index.ts';
import type { ModelHandle } from '../models/index.ts';
import type { Environment } from './environment.ts';
import type { FixOptions } from './types.ts';

/** Runs what remains of a session that is on record, with its events passed on as they are stored. */
export async function runRecorded(
  environment: Environment,
  plan: SessionPlan,
  model: ModelHandle,
  remaining: Remaining,
  options: FixOptions & { signal: AbortSignal },
): Promise<SessionResult> {
  const { store } = environment;
  const unsubscribe = store.subscribe((event) => {
    if (event.sessionId === plan.sessionId) options.onEvent?.(event);
  });
  // Closing the core ends the session first, so that it is recorded while the store is still open.
  const closing = new AbortController();
  const signal = AbortSignal.any([options.signal, closing.signal]);
  const running = runSession(
    plan,
    {
      store,
      model,
      signal,
      owner: processIdentity(),
      openWorkspace: (open) => environment.openWorkspace(open),
      onProgress: (progress) => options.onProgress?.(progress),
    },
    remaining,
  );
  const release = environment.onClose(async () => {
    closing.abort(new Error('the app is closing'));
    await running.catch(() => undefined);
  });
  try {
    return await running;
  } finally {
    release();
    unsubscribe();
  }
}
