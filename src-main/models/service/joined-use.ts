import { setTimeout as sleep } from 'node:timers/promises';
import { pause } from '../client/retry.ts';
import type { Supervisor } from '../servers/types.ts';
import { createPassing, isUp } from './join-when-ready.ts';
import { endedError } from './owned-use.ts';
import type { ServerLife, ServerUse } from './served.ts';

/** A place among the users of a server. */
export type Joined = NonNullable<Awaited<ReturnType<Supervisor['join']>>>;

/** How often the state of someone else's server is looked at while a request runs. */
const LOOK_EVERY_MS = 500;

/** A server that another process of this home owns. */
export function useJoined(
  supervisor: Supervisor,
  first: Joined,
  memoryBytes: () => Promise<number | null>,
): ServerUse {
  const { name } = first.status;
  let joined = first;
  let inFlight = 0;
  let released = false;

  const isUsed = (): boolean => inFlight > 0 && !released;

  const life = (): ServerLife => {
    const down = new AbortController();
    const { access, status } = joined;
    const watch = async (): Promise<void> => {
      while (isUsed() && !down.signal.aborted) {
        await sleep(LOOK_EVERY_MS);
        const now = await supervisor.status(name).catch(() => null);
        if (now === null || (isUp(now) && now.address === access.root)) continue;
        down.abort(endedError(now));
      }
    };
    void watch();
    return { access, status, down: down.signal };
  };

  return {
    reach: async (signal) => {
      const isPassing = createPassing();
      for (;;) {
        signal?.throwIfAborted();
        const status = await supervisor.status(name);
        if (isUp(status) && status.address === joined.access.root) return life();
        if (!isUp(status) && !isPassing(status)) throw endedError(status);
        const again = await supervisor.join(name);
        if (again !== null) {
          joined.release();
          joined = again;
          return life();
        }
        await pause(LOOK_EVERY_MS, signal);
      }
    },
    begin: () => {
      inFlight += 1;
      const end = joined.begin();
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        inFlight -= 1;
        end();
      };
    },
    memoryBytes,
    release: async () => {
      released = true;
      joined.release();
    },
  };
}
