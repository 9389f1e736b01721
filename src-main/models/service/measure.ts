import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerPlan } from '../servers/types.ts';
import { createMemoryReader, watchGpus } from '../telemetry/index.ts';

/** The driver's list of processes comes some seconds after it was asked for on a busy machine. */
const PATIENCE_MS = 15_000;
const LOOK_EVERY_MS = 200;

/**
 * Memory of a server where its plan put it, for the comparison with the estimate: shares of main
 * memory, what the driver books for its processes, or both for a split one. `null` = not known, as
 * in a container, where the driver lists pids of the host.
 */
export async function measureServer(
  env: Readonly<Record<string, string | undefined>>,
  pids: readonly number[],
  { device }: Pick<ServerPlan, 'device'>,
  patienceMs = PATIENCE_MS,
): Promise<number | null> {
  const main = device === 'gpu' ? 0 : await createMemoryReader().read(pids);
  const gpu = device === 'cpu' ? 0 : await bookedBytes(env, pids, patienceMs);
  return main === null || gpu === null ? null : main + gpu;
}

async function bookedBytes(
  env: Readonly<Record<string, string | undefined>>,
  pids: readonly number[],
  patienceMs: number,
): Promise<number | null> {
  const gpus = await watchGpus({ env, processIntervalMs: 1_000 });
  if (gpus === null) return null;
  try {
    const end = performance.now() + patienceMs;
    for (;;) {
      const bytes = gpus.bytesOf(pids);
      if (bytes !== null || performance.now() > end) return bytes;
      await sleep(LOOK_EVERY_MS);
    }
  } finally {
    await gpus.stop();
  }
}
