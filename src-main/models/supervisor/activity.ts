import type { ProcessFinder } from './process-finder.ts';
import { readBytes } from './process-table.ts';

/** Tells whether a server does anything at all. */
export interface ActivityMeter {
  /** Looks now; returns for how many milliseconds nothing has happened. */
  look(): number;
}

interface Mark {
  at: number;
  members: string;
  cpuTicks: number;
  residentBytes: number;
  readBytes: number;
  output: number;
}

/** Less is what an idle server does by itself: timers, a poll of its event loop. */
const IDLE_CPU_SHARE = 0.03;
const LEAST_CPU_TICKS = 5;
/** What one look costs it: beside each, it is asked for its figures, which is our doing and no work. */
const CPU_TICKS_A_LOOK = 1;
const LEAST_RESIDENT_BYTES = 1024 * 1024;
const LEAST_READ_BYTES = 256 * 1024;
const TICKS_A_SECOND = 100;

/**
 * @param output grows whenever the server printed something
 */
export function createActivityMeter(finder: ProcessFinder, output: () => number): ActivityMeter {
  let mark: Mark | null = null;
  let looks = 0;
  return {
    look: () => {
      const now = measure(finder, output());
      looks += 1;
      if (mark === null || moved(mark, now, looks)) {
        mark = now;
        looks = 0;
      }
      return now.at - mark.at;
    },
  };
}

function measure(finder: ProcessFinder, output: number): Mark {
  const mark: Mark = {
    at: performance.now(),
    members: '',
    cpuTicks: 0,
    residentBytes: 0,
    readBytes: 0,
    output,
  };
  for (const entry of finder.find()) {
    mark.members += `${entry.pid} `;
    mark.cpuTicks += entry.cpuTicks;
    mark.residentBytes += entry.residentBytes;
    mark.readBytes += readBytes(entry.pid);
  }
  return mark;
}

function moved(from: Mark, to: Mark, looks: number): boolean {
  const idleTicks = ((to.at - from.at) / 1_000) * TICKS_A_SECOND * IDLE_CPU_SHARE;
  const mostIdle = Math.max(LEAST_CPU_TICKS, idleTicks, looks * CPU_TICKS_A_LOOK);
  return (
    to.output !== from.output ||
    to.members !== from.members ||
    to.cpuTicks - from.cpuTicks > mostIdle ||
    Math.abs(to.residentBytes - from.residentBytes) > LEAST_RESIDENT_BYTES ||
    to.readBytes - from.readBytes > LEAST_READ_BYTES
  );
}
