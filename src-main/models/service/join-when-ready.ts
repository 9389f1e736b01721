import { setTimeout as sleep } from 'node:timers/promises';
import type { Supervisor } from '../servers/types.ts';
import type { ServerOptions } from './types.ts';

/** How often the start of another process is looked at. */
const LOOK_EVERY_MS = 250;

/**
 * Joins the server of another process of this home, waiting for it while it loads; `null` = there
 * is none.
 * @throws the signal's reason when aborted
 */
export async function joinWhenReady(
  supervisor: Supervisor,
  name: string,
  { signal, onStatus }: ServerOptions,
): Promise<Awaited<ReturnType<Supervisor['join']>>> {
  for (;;) {
    signal?.throwIfAborted();
    const joined = await supervisor.join(name);
    if (joined !== null) return joined;
    const status = await supervisor.status(name);
    if (status.state !== 'planning' && status.state !== 'loading') return null;
    onStatus?.(status);
    await sleep(LOOK_EVERY_MS, undefined, signal === undefined ? {} : { signal });
  }
}
