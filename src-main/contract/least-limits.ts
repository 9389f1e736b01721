/**
 * Below these no workspace starts, or no shell runs in it; the engine's own words are less clear.
 * Bytes, processors, processes, files.
 */
export const LEAST_LIMITS = {
  memoryBytes: 2 ** 24,
  cpus: 0.01,
  pids: 16,
  diskBytes: 2 ** 20,
  inodes: 100,
} as const;
