import { carries, listPids, readProcess, type ProcessEntry } from './process-table.ts';

/** Variable that marks every process of a server; its value is the server's nonce. */
export const NONCE_VARIABLE = 'VIVARIUM_SERVER_NONCE';

/** Finds the processes of one server, wherever they have gone. */
export interface ProcessFinder {
  /** Its leader: members of its session and its descendants count as well. */
  lead(pid: number): void;
  /**
   * Living members. With `full` every process of the machine is looked at (some 10 ms); without, only
   * those that are new since the last look.
   */
  find(full?: boolean): ProcessEntry[];
  /** Every pid that ever was a member: what a GPU driver may still book memory for. */
  seen(): ReadonlySet<number>;
}

/** A new process may not have replaced the environment of its parent yet: it is looked at again. */
const SETTLE_MS = 2_000;

export function createProcessFinder(nonce: string): ProcessFinder {
  const pair = `${NONCE_VARIABLE}=${nonce}`;
  /** Members by pid, with their start, so that a reused pid is no member. */
  const members = new Map<number, string>();
  /** When a process that is no member was first seen. */
  const others = new Map<number, number>();
  const seen = new Set<number>();
  let leader: { pid: number; startTicks: string } | null = null;

  const belongs = (entry: ProcessEntry): boolean =>
    members.has(entry.parent) ||
    (leader !== null &&
      entry.session === leader.pid &&
      Number(entry.startTicks) >= Number(leader.startTicks)) ||
    carries(entry.pid, pair);

  const look = (pid: number, now: number): void => {
    const entry = readProcess(pid);
    if (entry === null || entry.zombie || pid === process.pid) return;
    if (belongs(entry)) {
      members.set(pid, entry.startTicks);
      seen.add(pid);
      others.delete(pid);
    } else if (!others.has(pid)) others.set(pid, now);
  };

  const living = (): ProcessEntry[] => {
    const found: ProcessEntry[] = [];
    for (const [pid, startTicks] of members) {
      const entry = readProcess(pid);
      if (entry !== null && !entry.zombie && entry.startTicks === startTicks) found.push(entry);
      else members.delete(pid);
    }
    return found;
  };

  return {
    lead: (pid) => {
      const entry = readProcess(pid);
      leader = entry === null ? null : { pid, startTicks: entry.startTicks };
      if (entry !== null) members.set(pid, entry.startTicks);
      seen.add(pid);
    },
    find: (full = false) => {
      const now = Date.now();
      living();
      const present = listPids();
      for (const pid of present) {
        const seen = others.get(pid);
        const settled = seen !== undefined && now - seen > SETTLE_MS;
        if (!members.has(pid) && (full || !settled)) look(pid, now);
      }
      forgetGone(others, present);
      return living();
    },
    seen: () => seen,
  };
}

function forgetGone(others: Map<number, number>, present: readonly number[]): void {
  const there = new Set(present);
  for (const pid of others.keys()) if (!there.has(pid)) others.delete(pid);
}

/** Processes that carry a server's nonce, of whichever owner. */
export function findCarriers(nonce: string): ProcessEntry[] {
  const pair = `${NONCE_VARIABLE}=${nonce}`;
  return listPids()
    .filter((pid) => pid !== process.pid && carries(pid, pair))
    .map(readProcess)
    .filter((entry) => entry !== null)
    .filter((entry) => !entry.zombie);
}
