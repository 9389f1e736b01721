import { readFile, statfs } from 'node:fs/promises';
import type { Room } from '../../evaluation/index.ts';
import { probeEngine } from '../../workspaces/index.ts';
import type { Environment } from '../environment.ts';

/**
 * What is free for workspaces. Weights that a server of ours has mapped from a file count as free in
 * the kernel's figures, since they could be read again; then each token would come from the disk.
 */
export async function freeRoom(environment: Environment, modelPid: number | null): Promise<Room> {
  const [machine, mapped, engine, home] = await Promise.all([
    environment.models.machine(),
    modelPid === null ? 0 : mappedBytes(modelPid),
    environment.engine().then(probeEngine),
    statfs(environment.config.home),
  ]);
  return {
    memoryBytes: Math.max(0, machine.memory.availableBytes - mapped),
    diskBytes: Math.min(home.bavail * home.bsize, engine.freeDiskBytes ?? Infinity),
  };
}

/** Resident pages of files of a process; 0 where the system does not tell. */
async function mappedBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
  return Number(/^RssFile:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}
