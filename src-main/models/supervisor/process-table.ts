import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** What the kernel says about one process. Linux only; elsewhere nothing is found. */
export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** Clock ticks since boot at which it started: with the pid, a name that is not reused. */
  startTicks: string;
  zombie: boolean;
  /** User and system time so far, in clock ticks (100 a second). */
  cpuTicks: number;
  residentBytes: number;
}

const PAGE_BYTES = 4096;

export function listPids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** `null` when it is gone or cannot be read. */
export function readProcess(pid: number): ProcessEntry | null {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The name in parentheses may hold blanks and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const number = (index: number): number => Number(fields[index] ?? 0);
  return {
    pid,
    parent: number(1),
    group: number(2),
    session: number(3),
    startTicks: fields[19] ?? '0',
    zombie: fields[0] === 'Z' || fields[0] === 'X',
    cpuTicks: number(11) + number(12),
    residentBytes: number(21) * PAGE_BYTES,
  };
}

/** Whether its environment, as it was at its start, holds the pair `NAME=VALUE`. */
export function carries(pid: number, pair: string): boolean {
  const environment = read(`/proc/${pid}/environ`);
  if (environment === null) return false;
  return environment.split('\0').includes(pair);
}

/** Bytes it asked the system to read so far, from the page cache included; 0 when not known. */
export function readBytes(pid: number): number {
  return Number(/^rchar: (\d+)/m.exec(read(`/proc/${pid}/io`) ?? '')?.[1] ?? 0);
}

export function executableOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return null;
  }
}

/** How often the kernel killed for lack of memory, on the machine and in our cgroup. */
export function countMemoryKills(): number {
  const machine = /^oom_kill (\d+)/m.exec(read('/proc/vmstat') ?? '')?.[1] ?? 0;
  const group = /^oom_kill (\d+)/m.exec(read('/sys/fs/cgroup/memory.events') ?? '')?.[1] ?? 0;
  return Number(machine) + Number(group);
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}
