import type Docker from 'dockerode';
import type { WorkspaceUsage } from '../types.ts';

/** One reading of the container's control group. */
export async function readUsage(container: Docker.Container): Promise<WorkspaceUsage> {
  const stats = await container.stats({ stream: false, 'one-shot': true });
  const memory = stats.memory_stats;
  // Pages of files that the kernel can drop at once do not count, as in `docker stats`.
  const reclaimable = memory.stats?.inactive_file ?? 0;
  return {
    memoryBytes: Math.max(0, (memory.usage ?? 0) - reclaimable),
    peakMemoryBytes: memory.max_usage ?? null,
    pids: stats.pids_stats?.current ?? 0,
  };
}
