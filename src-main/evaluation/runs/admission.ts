import { formatSize } from '../../lib/index.ts';
import type { Room } from './types.ts';

const MIB = 2 ** 20;

/** Left for the machine, the app, and what the model server still grows by. */
const RESERVE = { memoryBytes: 768 * MIB, diskBytes: 1024 * MIB };
/** What one cell leaves in the record and in its snapshot, generously. */
const RECORD_BYTES = 64 * MIB;
/** From so many peaks on, the highest of them with a margin is taken for what a cell needs. */
const ENOUGH_PEAKS = 8;
const MARGIN = 1.5;
/** Below this a workspace cannot even start its tests. */
const LEAST_NEED = 128 * MIB;

export interface Demand {
  /** Most memory that one cell may use, and the disk of its container layer. */
  limitBytes: number;
  layerBytes: number;
  /** Peaks of workspaces of this run that have ended. */
  peaks: readonly number[];
  /** What each running cell uses now; `null` = not measured yet. */
  running: readonly (number | null)[];
}

export type Admission = { may: true } | { may: false; why: string };

/**
 * Whether one more cell may begin. The running ones are counted with what they may still grow to:
 * right after their start the machine looks emptier than it is. Memory of a workspace is unswappable,
 * so too many of them would take it from the model server, whose pages then come from disk.
 */
export function admit(room: Room, { limitBytes, layerBytes, peaks, running }: Demand): Admission {
  const need = needOf(limitBytes, peaks);
  const growth = running.reduce<number>((sum, now) => sum + Math.max(0, need - (now ?? 0)), 0);
  const memory = room.memoryBytes - growth - need;
  const disk = room.diskBytes - RECORD_BYTES - layerBytes * (running.length + 1);
  if (disk < RESERVE.diskBytes) {
    return { may: false, why: `only ${formatSize(room.diskBytes)} of disk are free` };
  }
  // One cell at a time runs wherever a fix does: its limit holds it.
  if (memory >= RESERVE.memoryBytes || running.length === 0) return { may: true };
  const free = formatSize(Math.max(0, room.memoryBytes - growth));
  return {
    may: false,
    why: `a cell needs ${formatSize(need)} of memory, ${free} are free beside the model server`,
  };
}

/** Until enough is known a cell is taken for what it may use. */
function needOf(limitBytes: number, peaks: readonly number[]): number {
  if (peaks.length < ENOUGH_PEAKS) return limitBytes;
  return Math.min(limitBytes, Math.max(LEAST_NEED, Math.max(...peaks) * MARGIN));
}
