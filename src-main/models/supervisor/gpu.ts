import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { VivariumError } from '../../lib/index.ts';
import type { StartServer } from '../servers/types.ts';
import { gpuLockFolder } from './files.ts';
import { takeLock, type Lock } from './lock.ts';

/**
 * Takes every GPU of the plan, or none.
 *
 * @throws VivariumError `gpu_busy` naming who has it
 */
export function takeGpus(home: string, request: StartServer): Lock[] {
  const { plan, machine, profile } = request;
  if (plan.device === 'cpu') return [];
  const gpus = machine.gpus.filter(({ index }) => plan.gpus.includes(index));
  const taken: Lock[] = [];
  // By their names, so that two servers never wait for each other's.
  for (const gpu of gpus.toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1))) {
    const { lock, holder } = takeLock(gpuLockFolder(home, gpu.uuid), profile.name);
    if (lock !== null) {
      taken.push(lock);
      continue;
    }
    for (const other of taken) other.release();
    throw new VivariumError(
      'gpu_busy',
      `GPU ${gpu.index} (${gpu.name}) is in use by the server of ${holder.note}.`,
      `Stop it first: \`vivarium models stop ${holder.note}\``,
    );
  }
  return taken;
}

const ASK_TIMEOUT_MS = 3_000;

/** Pids that the driver books memory for; `null` when it cannot be asked. */
export function askGpuPids(): Promise<ReadonlySet<number> | null> {
  return new Promise((resolve) => {
    execFile(
      'nvidia-smi',
      ['--query-compute-apps=pid', '--format=csv,noheader,nounits'],
      { timeout: ASK_TIMEOUT_MS },
      (fault, stdout) => {
        if (fault !== null) return resolve(null);
        resolve(new Set(stdout.split('\n').map(Number).filter(Number.isInteger)));
      },
    );
  });
}

/** Resolves when the driver has let go of all of `pids`, or after the limit: `false` then. */
export async function untilGpuFree(
  pids: ReadonlySet<number>,
  ask: () => Promise<ReadonlySet<number> | null>,
  limitMs: number,
): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const booked = await ask();
    if (booked === null || ![...pids].some((pid) => booked.has(pid))) return true;
    if (performance.now() > deadline) return false;
    await sleep(100);
  }
}
