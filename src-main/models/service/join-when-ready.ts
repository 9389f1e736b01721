import { isAlive } from '../../lib/index.ts';
import { pause } from '../client/retry.ts';
import type { ServerState, ServerStatus, Supervisor } from '../servers/types.ts';
import type { ServerOptions } from './types.ts';

/** How often the start of another process is looked at. */
const LOOK_EVERY_MS = 250;
/** Its access file is there before it says that it is ready; a missing one does not come back. */
const JOIN_TRIES = 8;

type Patience = Pick<ServerOptions, 'signal' | 'onStatus'>;

/** States that pass by themselves. */
const PASSING: ReadonlySet<ServerState> = new Set(['planning', 'loading', 'stopping']);

/** An owner looks at its server each second; one that does not for so long has hung. */
const NOTICED_WITHIN_MS = 10_000;

/** Tells, from look to look, whether a server is on its way to another state by itself. */
export function createPassing(): (status: Pick<ServerStatus, 'state' | 'owner'>) => boolean {
  let lostSince: number | null = null;
  return ({ state, owner }) => {
    if (state !== 'lost') {
      lostSince = null;
      return PASSING.has(state);
    }
    // Its process has died, and its owner is about to notice and to start it again.
    if (owner === null || !isAlive(owner)) return false;
    lostSince ??= performance.now();
    return performance.now() - lostSince < NOTICED_WITHIN_MS;
  };
}

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
  const isPassing = createPassing();
  for (;;) {
    signal?.throwIfAborted();
    const status = await supervisor.status(name);
    if (!isPassing(status)) return status;
    onStatus?.(status);
    await pause(LOOK_EVERY_MS, signal);
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
    await pause(LOOK_EVERY_MS, patience.signal);
  }
  return null;
}
