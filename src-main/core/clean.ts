import { rm } from 'node:fs/promises';
import { listSnapshots, removeSnapshot } from '../patch/index.ts';
import { runOfSnapshot } from '../evaluation/index.ts';
import { reapOrphans } from '../workspaces/index.ts';
import { messageOf } from '../lib/index.ts';
import type { Environment } from './environment.ts';
import type { Cleaned } from './types.ts';

/** A half-made snapshot this old has no process behind it any more. */
const HALF_MADE_MS = 60 * 60 * 1000;

/**
 * Removes what dead owners left: containers, volumes, model servers, and the private snapshots of
 * sessions that have ended. Interrupted and cancelled sessions keep theirs, since they can be resumed; the record
 * (history, patches) is never touched. Without a container engine it cleans the rest and says so.
 */
export async function clean(environment: Environment): Promise<Cleaned> {
  const { store, config } = environment;
  const snapshots = await removeSnapshots(store, config.home);
  const servers = await environment.models.clean();
  try {
    const reaped = await reapOrphans(await environment.engine(), config.home);
    const early = environment.reaped;
    return {
      containers: reaped.containers + early.containers,
      volumes: reaped.volumes + early.volumes,
      ...snapshots,
      servers,
    };
  } catch (error) {
    return { containers: 0, volumes: 0, ...snapshots, servers, unreached: messageOf(error) };
  }
}

async function removeSnapshots(store: Environment['store'], home: string) {
  const states = new Map(store.sessions().map((one) => [one.sessionId, one.state]));
  const running = new Set(
    store.runs().flatMap(({ runId, state }) => (state === 'running' ? [runId] : [])),
  );
  const removed = { snapshots: 0, bytes: 0 };
  for (const { sessionId, path, bytes, modifiedMs } of await listSnapshots(home)) {
    const state = sessionId === undefined ? undefined : states.get(sessionId);
    const ofRun = running.has(runOfSnapshot(sessionId ?? '') ?? '');
    const needed = ofRun || state === 'running' || state === 'interrupted' || state === 'cancelled';
    const young = state === undefined && Date.now() - modifiedMs < HALF_MADE_MS;
    if (needed || young) continue;
    if (sessionId === undefined) await rm(path, { recursive: true, force: true });
    else await removeSnapshot(home, sessionId);
    removed.snapshots += 1;
    removed.bytes += bytes;
  }
  return removed;
}
