import { readFile } from 'node:fs/promises';

/** Memory of a group of processes, shared pages counted once. */
export interface MemoryReader {
  /** Sum of their PSS; `null` where it cannot be known (no Linux, processes of another user). */
  read(pids: readonly number[]): Promise<number | null>;
}

/**
 * Share of one core that all reads together may take. The kernel walks every mapped page for a PSS:
 * measured 12 to 16 ms for each GiB in pages of 4 KiB, so that a read each second of a server of
 * 4 GiB would already take 5 % of a core.
 */
const CORE_SHARE = 0.005;
/** VmRSS, which costs 0.03 ms, is read each time: a process that keeps its size is left alone. */
const MOVED = 0.01;
/** But not for ever: pages may also become shared. */
const AT_LEAST_EVERY_MS = 60_000;

interface Known {
  pssBytes: number;
  /** VmRSS at that time. */
  residentBytes: number;
  at: number;
  costMs: number;
}

/** A process that ended between the list and the read adds nothing; one we may not read spoils all. */
type Reading = Known | 'gone' | 'unreadable';

/**
 * Reads PSS as seldom as its cost asks for and answers with the last one in between: what is shown is
 * measured, and up to `cost / CORE_SHARE` old while a server grows (16 ms: 3 s; 50 ms: 10 s).
 */
export function createMemoryReader(
  options: { proc?: string; now?: () => number } = {},
): MemoryReader {
  const proc = options.proc ?? '/proc';
  const now = options.now ?? (() => performance.now());
  const known = new Map<number, Known>();

  async function readOne(pid: number, processes: number): Promise<Reading> {
    const resident = await field(`${proc}/${pid}/status`, 'VmRSS');
    if (typeof resident === 'string') return resident;
    const last = known.get(pid);
    if (last !== undefined && !isDue(last, resident, now(), processes)) return last;
    const startedAt = now();
    const pss = await field(`${proc}/${pid}/smaps_rollup`, 'Pss');
    if (typeof pss === 'string') return pss;
    const at = now();
    const read = { pssBytes: pss, residentBytes: resident, at, costMs: at - startedAt };
    known.set(pid, read);
    return read;
  }

  return {
    async read(pids) {
      for (const pid of known.keys()) if (!pids.includes(pid)) known.delete(pid);
      let total: number | null = null;
      // One after the other: read at once they would hold up each other and look dearer than they are.
      for (const pid of pids) {
        const reading = await readOne(pid, pids.length);
        if (reading === 'unreadable') return null;
        if (reading !== 'gone') total = (total ?? 0) + reading.pssBytes;
      }
      return total;
    },
  };
}

function isDue(last: Known, residentBytes: number, now: number, processes: number): boolean {
  const age = now - last.at;
  if (age < (last.costMs * processes) / CORE_SHARE) return false;
  const moved = Math.abs(residentBytes - last.residentBytes) > MOVED * last.residentBytes;
  return moved || age >= AT_LEAST_EVERY_MS;
}

/** Bytes of a line such as `Pss:  1234 kB`. */
async function field(file: string, name: string): Promise<number | 'gone' | 'unreadable'> {
  try {
    const text = await readFile(file, 'latin1');
    const kib = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1];
    // A process that has ended but was not waited for has no memory lines.
    return kib === undefined ? 'gone' : Number(kib) * 1024;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ESRCH' ? 'gone' : 'unreadable';
  }
}
