import { readdirSync } from 'node:fs';
import process from 'node:process';

const MIB = 1024 * 1024;

/** Resident memory of this process in MB, after a collection where the engine allows it. */
export function restingMemory(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss() / MIB;
}

/** Open file descriptors of this process. */
export function openDescriptors(): number {
  // The listing itself opens one.
  return readdirSync('/proc/self/fd').length - 1;
}

/** Highest resident memory of this process in MB while `work` runs. */
export async function peakMemoryDuring(work: () => Promise<unknown>): Promise<number> {
  let peak = process.memoryUsage.rss();
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return Math.max(peak, process.memoryUsage.rss()) / MIB;
}
