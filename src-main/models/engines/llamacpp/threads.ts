const MiB = 1024 * 1024;

/**
 * How many threads evaluate a model of this size on this many cores.
 *
 * Threads meet at a barrier after every operation and spin while they wait. A tiny model spends
 * more time there than on arithmetic, and one busy neighbour on a core holds all the others up:
 * measured on 2 cores with a 7 MB model, 1,750 tokens/s with one thread and 71 with two. So the
 * size of the weights caps the count, and one core is always left to the rest of the machine.
 *
 * @param weightBytes size of all weights.
 * @param cores cores this process may use.
 */
export function chooseThreads(weightBytes: number, cores: number): number {
  const free = Math.max(1, cores - 1);
  return Math.min(free, usefulThreads(weightBytes));
}

function usefulThreads(weightBytes: number): number {
  if (weightBytes < 64 * MiB) return 1;
  if (weightBytes < 512 * MiB) return 4;
  if (weightBytes < 2_048 * MiB) return 8;
  // Generation is bound by memory bandwidth; more threads than this no longer help on desktops.
  return 16;
}
