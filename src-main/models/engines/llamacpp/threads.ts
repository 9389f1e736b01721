import { VivariumError } from '../../../lib/index.ts';

const MiB = 1024 * 1024;

/** As many as a profile may name. */
const MOST_THREADS = 1024;

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

/**
 * `VIVARIUM_THREADS`; `null` when it is not set: to be chosen.
 * @throws VivariumError `usage` when it is no count
 */
export function threadsAsked(env: Readonly<Record<string, string | undefined>>): number | null {
  const text = env['VIVARIUM_THREADS'] ?? '';
  if (text === '') return null;
  const threads = Number(text);
  if (/^\d+$/.test(text) && threads >= 1 && threads <= MOST_THREADS) return threads;
  throw new VivariumError(
    'usage',
    `VIVARIUM_THREADS is ${JSON.stringify(text)}, not a number of threads`,
    `Set it to a whole number from 1 to ${MOST_THREADS}, or leave it out.`,
  );
}
