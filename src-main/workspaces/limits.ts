import type { WorkspaceLimits } from './types.ts';

const GIB = 2 ** 30;

/** Limits of a workspace where nobody asks for others. The volume's pages count as memory too. */
export const DEFAULT_LIMITS: Readonly<WorkspaceLimits> = {
  memoryBytes: 4 * GIB,
  cpus: 2,
  pids: 512,
  diskBytes: 2 * GIB,
  inodes: 400_000,
};

/** Left for the machine itself, the app and a small model. */
const MEMORY_SHARE = 0.75;

/** `PID_MAX_LIMIT` of 64-bit Linux; a control group refuses more. */
const MOST_PIDS = 4_194_304;

/**
 * Wanted limits, completed by defaults and cut to what the machine has. `notes` says in plain
 * words what was cut.
 */
export function fitLimits(
  wanted: Partial<WorkspaceLimits>,
  machine: { cpus: number; memoryBytes: number },
): { limits: WorkspaceLimits; notes: string[] } {
  const notes: string[] = [];
  const limits = { ...DEFAULT_LIMITS, ...wanted };
  const memory = Math.floor(machine.memoryBytes * MEMORY_SHARE);
  if (limits.memoryBytes > memory) {
    notes.push(`memory cut to ${gib(memory)}, three quarters of what the engine has`);
    limits.memoryBytes = memory;
  }
  if (limits.cpus > machine.cpus) {
    notes.push(`processors cut to ${machine.cpus}, all the engine has`);
    limits.cpus = machine.cpus;
  }
  if (limits.pids > MOST_PIDS) {
    notes.push(`processes cut to ${MOST_PIDS}, all that Linux has numbers for`);
    limits.pids = MOST_PIDS;
  }
  if (limits.diskBytes > limits.memoryBytes) {
    notes.push(`disk cut to ${gib(limits.memoryBytes)}: its pages count as memory`);
    limits.diskBytes = limits.memoryBytes;
  }
  return { limits, notes };
}

/** Eight that start at once take 1.5 s on two processors; a thousand bring the engine down. */
const WORKSPACES_PER_CPU = 4;

/** Workspaces that may be open at once; `note` says in plain words when that is fewer than wanted. */
export function fitParallel(
  wanted: number,
  machine: { cpus: number },
): { parallel: number; note: string | null } {
  const most = Math.max(1, machine.cpus * WORKSPACES_PER_CPU);
  if (wanted <= most) return { parallel: wanted, note: null };
  return {
    parallel: most,
    note: `attempts at the same time cut to ${most}, ${WORKSPACES_PER_CPU} for each processor of the engine`,
  };
}

function gib(bytes: number): string {
  return `${(bytes / GIB).toFixed(1)} GiB`;
}
