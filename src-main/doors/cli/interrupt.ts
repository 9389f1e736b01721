import { constants } from 'node:os';
import process from 'node:process';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * npm and shells hand a signal on to a child that the terminal has told already; two within this
 * time are one press of Ctrl-C.
 */
const SAME_PRESS_MS = 100;

export interface Interrupts {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  /** Takes the handlers away. */
  end(): void;
}

export interface InterruptHandlers {
  /** The first signal: the work is asked to stop and finish what has to be finished. */
  onFirst: (exitCode: number) => void;
  /** The second: end at once, with the code by which shells know what ended a program. */
  onSecond: (exitCode: number) => void;
}

/** Listens for Ctrl-C, `kill` and a closed terminal until `end` is called. */
export function listenForInterrupts({ onFirst, onSecond }: InterruptHandlers): Interrupts {
  const controller = new AbortController();
  let firstAt = Number.NEGATIVE_INFINITY;
  const listener = (name: NodeJS.Signals): void => {
    const exitCode = 128 + constants.signals[name];
    const now = performance.now();
    if (!controller.signal.aborted) {
      firstAt = now;
      controller.abort(new Error(`stopped by ${name}`));
      onFirst(exitCode);
    } else if (now - firstAt > SAME_PRESS_MS) {
      onSecond(exitCode);
    }
  };
  for (const name of SIGNALS) process.on(name, listener);
  return {
    signal: controller.signal,
    end: () => {
      for (const name of SIGNALS) process.off(name, listener);
    },
  };
}
