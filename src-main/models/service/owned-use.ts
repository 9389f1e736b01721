import { VivariumError } from '../../lib/index.ts';
import type { OwnedServer, ServerStatus } from '../servers/types.ts';
import { isUp } from './join-when-ready.ts';
import type { ServerLife, ServerUse } from './served.ts';

/** A server of this process as its users see it. */
export function useOwned(
  server: OwnedServer,
  parts: { memoryBytes(): Promise<number | null>; release(): Promise<void> },
): ServerUse {
  return {
    reach: async (signal) => {
      const status = await untilAnswers(server, signal);
      return lifeOf(server, status);
    },
    begin: () => server.begin(),
    ...parts,
  };
}

const isOver = ({ state }: ServerStatus): boolean =>
  state === 'failed' || state === 'stopped' || state === 'stopping' || state === 'lost';

function lifeOf(server: OwnedServer, status: ServerStatus): ServerLife {
  const down = new AbortController();
  const access = server.access();
  const unsubscribe = server.subscribe((now) => {
    if (isUp(now) && server.access().root === access.root) return;
    unsubscribe();
    down.abort(endedError(now));
  });
  return { access, status, down: down.signal };
}

/** Restarts take a while; their end is bounded by the supervisor. */
function untilAnswers(server: OwnedServer, signal: AbortSignal | undefined): Promise<ServerStatus> {
  return new Promise((resolve, reject) => {
    const look = (status: ServerStatus): boolean => {
      if (isUp(status)) resolve(status);
      else if (isOver(status)) reject(endedError(status));
      else return false;
      return true;
    };
    signal?.throwIfAborted();
    if (look(server.status())) return;
    const listening = new AbortController();
    const unsubscribe = server.subscribe((status) => {
      if (!look(status)) return;
      unsubscribe();
      listening.abort();
    });
    const onAbort = (): void => {
      unsubscribe();
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', onAbort, { once: true, signal: listening.signal });
  });
}

/** How a server that was in use ended, as its user is told. */
export function endedError(status: ServerStatus): VivariumError {
  const { name, failure, logFile, state } = status;
  if (failure !== null) {
    return new VivariumError(
      'engine_failed',
      `the server of ${name} failed: ${failure.cause}`,
      failure.remedy,
    );
  }
  if (state === 'stopped' || state === 'stopping') {
    return new VivariumError(
      'server_not_running',
      `the server of ${name} was stopped`,
      `Start it again with \`vivarium models start ${name}\`.`,
    );
  }
  return new VivariumError(
    'server_not_running',
    `the server of ${name} is gone: its process or its owner was ended from outside`,
    logFile === null
      ? `Start it again with \`vivarium models start ${name}\`.`
      : `Its log is ${logFile}; start it again with \`vivarium models start ${name}\`.`,
  );
}
