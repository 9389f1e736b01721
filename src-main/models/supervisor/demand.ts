import type { ServerStatus } from '../servers/types.ts';
import type { StatusBoard } from './status-board.ts';
import { listUsers } from './users.ts';

/** Who wants something of a ready server now; keeps the states `ready` and `busy` apart. */
export interface Demand {
  /** A request of this process. Returns its end. */
  begin(): () => void;
  /** Looks at the users of other processes and at what the server itself said it runs. */
  look(runningOnServer: number | null): void;
  busy(): boolean;
  /** Since when nothing was wanted, on the clock of `performance`. */
  idleSince(): number;
  /** Something was done without being seen in flight. */
  touch(): void;
}

export function createDemand(board: StatusBoard, usersFolder: string): Demand {
  let own = 0;
  let others = 0;
  let onServer = 0;
  let idleSince = performance.now();

  const busy = (): boolean => own > 0 || others > 0 || onServer > 0;
  const show = (change: Partial<ServerStatus> = {}): void => {
    const { state } = board.status();
    if (busy()) idleSince = performance.now();
    const served = state === 'ready' || state === 'busy';
    board.update({ ...change, ...(served ? { state: busy() ? 'busy' : 'ready' } : {}) });
  };
  return {
    begin: () => {
      own += 1;
      show();
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        // Until this moment it was busy.
        idleSince = performance.now();
        own -= 1;
        show();
      };
    },
    look: (runningOnServer) => {
      const users = listUsers(usersFolder);
      others = users.reduce((sum, { inFlight }) => sum + inFlight, 0);
      onServer = runningOnServer ?? 0;
      show({ users: users.length });
    },
    busy,
    idleSince: () => idleSince,
    touch: () => (idleSince = performance.now()),
  };
}
