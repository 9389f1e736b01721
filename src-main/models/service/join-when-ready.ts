import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerState, ServerStatus, Supervisor } from '../servers/types.ts';
import type { ServerOptions } from './types.ts';

/** How often the start of another process is looked at. */
const LOOK_EVERY_MS = 250;
/** Its access file is there before it says that it is ready; a missing one does not come back. */
const JOIN_TRIES = 8;

type Patience = Pick<ServerOptions, 'signal' | 'onStatus'>;

/** States that pass by themselves. */
const PASSING: ReadonlySet<ServerState> = new Set(['planning', 'loading', 'stopping']);

/** It answers. */
export function isUp({ state }: Pick<ServerStatus, 'state'>): boolean {
  return state === 'ready' || state === 'busy';
}

/**
 * The state of a server once nobody starts or stops it: the memory of one that ends is not free yet.
 * @throws the signal's reason when aborted
 */
export async function untilSettled(
  supervisor: Pick<Supervisor, 'status'>,
  name: string,
  { signal, onStatus }: Patience,
): Promise<ServerStatus> {
  for (;;) {
    signal?.throwIfAborted();
    const status = await supervisor.status(name);
    if (!PASSING.has(status.state)) return status;
    onStatus?.(status);
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => signal?.throwIfAborted());
  }
}

/**
 * Joins the server of another process of this home, waiting for it while it loads; `null` = there
 * is none.
 * @throws the signal's reason when aborted
 */
export async function joinWhenReady(
  supervisor: Pick<Supervisor, 'status' | 'join'>,
  name: string,
  patience: Patience,
): Promise<Awaited<ReturnType<Supervisor['join']>>> {
  for (let tries = 0; tries < JOIN_TRIES; tries += 1) {
    if (!isUp(await untilSettled(supervisor, name, patience))) return null;
    const joined = await supervisor.join(name);
    // It may have begun to stop before it could see that somebody joins.
    if (joined !== null && isUp(await supervisor.status(name))) return joined;
    joined?.release();
    await sleep(LOOK_EVERY_MS);
  }
  return null;
}
