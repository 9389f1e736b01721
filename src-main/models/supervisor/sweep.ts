import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessFinder } from './process-finder.ts';
import { readProcess, type ProcessEntry } from './process-table.ts';
import type { ServerProcess } from './server-process.ts';

export interface SweepOptions {
  /** Time between TERM and KILL. */
  graceMs: number;
  /** Time for the killed to be gone: one stuck in a driver survives SIGKILL. */
  killMs: number;
}

const LOOK_MS = 25;

/**
 * Ends a server: its leader, its process group and all that carries its nonce. Resolves when none is
 * left or the time is over, with the pids that are left.
 */
export async function endServer(
  leader: ServerProcess | null,
  finder: ProcessFinder,
  options: SweepOptions,
): Promise<number[]> {
  if (process.platform !== 'linux') return endGroup(leader, options);
  let gone = leader === null;
  void leader?.exited.then(() => (gone = true));
  const members = finder.find(true);
  if (gone && members.length === 0) return [];
  // One by one and not by group as well: some servers take a second TERM as an order to break off.
  signalAll(members, 'SIGTERM');
  await until(() => gone && finder.find(true).length === 0, options.graceMs);
  const deadline = performance.now() + options.killMs;
  for (;;) {
    // Again and again, since a process may have started another in between.
    const left = finder.find(true);
    if (left.length === 0 && gone) return [];
    if (performance.now() > deadline) return left.map(({ pid }) => pid);
    if (leader !== null && !gone) signalGroup(leader.pid, 'SIGKILL');
    signalAll(left, 'SIGKILL');
    await sleep(LOOK_MS);
  }
}

/** Where there is no process table to read: the group, or the tree on Windows. */
async function endGroup(leader: ServerProcess | null, options: SweepOptions): Promise<number[]> {
  if (leader === null) return [];
  let gone = false;
  void leader.exited.then(() => (gone = true));
  if (leader.child !== null) {
    // Electron's way to start one makes no group of it.
    await leader.child.stop(options.graceMs);
  } else if (process.platform === 'win32') {
    execFile('taskkill', ['/pid', String(leader.pid), '/T', '/F'], () => {});
  } else {
    signalGroup(leader.pid, 'SIGTERM');
    await until(() => gone, options.graceMs);
    signalGroup(leader.pid, 'SIGKILL');
  }
  await until(() => gone, options.killMs);
  return gone ? [] : [leader.pid];
}

/** Only to the very process that was found: the pid may be another's by now. */
export function signalAll(entries: readonly ProcessEntry[], signal: NodeJS.Signals): void {
  for (const { pid, startTicks } of entries) {
    if (readProcess(pid)?.startTicks !== startTicks) continue;
    try {
      process.kill(pid, signal);
    } catch {
      // Already gone.
    }
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Already gone, or it leads no group.
  }
}

async function until(condition: () => boolean, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!condition() && performance.now() < deadline) await sleep(LOOK_MS);
}
