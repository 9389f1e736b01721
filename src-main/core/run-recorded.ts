import type { SessionResult } from '../contract/index.ts';
import {
  readAttempts,
  runSession,
  type Remaining,
  type SessionPlan,
  type WatchedServer,
} from '../fix/index.ts';
import { processIdentity } from '../lib/index.ts';
import type { ModelHandle, ServedModel } from '../models/index.ts';
import { removeSnapshot } from '../patch/index.ts';
import type { Environment } from './environment.ts';
import type { FixOptions } from './types.ts';

/** Passes the events of a session on as they are stored, until the returned function is called. */
export function follow(
  { store }: Environment,
  sessionId: string,
  { onEvent }: FixOptions,
): () => void {
  return store.subscribe((event) => {
    if (event.sessionId === sessionId) onEvent?.(event);
  });
}

/** Runs what remains of a session that is on record. */
export async function runRecorded(
  environment: Environment,
  plan: SessionPlan,
  model: ModelHandle,
  remaining: Remaining,
  options: FixOptions & { signal: AbortSignal },
): Promise<SessionResult> {
  const { store } = environment;
  // Closing the core ends the session first, so that it is recorded while the store is still open.
  const closing = new AbortController();
  const signal = AbortSignal.any([options.signal, closing.signal]);
  const running = runSession(
    plan,
    {
      home: environment.config.home,
      store,
      model,
      server: watchedServer(model),
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
  } catch (error) {
    // What failed is the news, not what could not be tidied up after it.
    await dropSnapshotOfFailed(environment, plan.sessionId).catch(() => undefined);
    throw error;
  } finally {
    release();
  }
}

/** Only servers of library models leave looks in the store, under the model's name. */
function watchedServer(model: ModelHandle | ServedModel): WatchedServer | null {
  if (!('profile' in model)) return null;
  const { sequences } = model.info.details;
  return { name: model.profile.name, sequences: typeof sequences === 'number' ? sequences : null };
}

/** A failed session cannot go on; its snapshot is only needed while a patch is not on record. */
async function dropSnapshotOfFailed(
  { store, config }: Environment,
  sessionId: string,
): Promise<void> {
  if (store.session(sessionId).state !== 'failed') return;
  const attempts = readAttempts(store, sessionId);
  if (attempts.some(({ summary, patch }) => summary.steps > 0 && !patch)) return;
  await removeSnapshot(config.home, sessionId);
}
