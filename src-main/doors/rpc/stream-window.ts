/** Room for items that a client has not taken yet. */
export interface StreamWindow {
  /** Waits for room and uses up one place of it. */
  take(): Promise<void>;
  /** The client has taken some: as much room again, up to the size. */
  give(count: number): void;
  /** Never waits again: nobody is there to take anything. */
  open(): void;
}

export function createStreamWindow(size: number): StreamWindow {
  let room = size;
  let wake: (() => void) | undefined;
  return {
    async take() {
      // One pump per stream: there is never more than one that waits.
      if (room <= 0) await new Promise<void>((resolve) => (wake = resolve));
      room -= 1;
    },
    give(count) {
      room = Math.min(size, room + count);
      wakeUp();
    },
    open() {
      room = Number.POSITIVE_INFINITY;
      wakeUp();
    },
  };

  function wakeUp(): void {
    const waiting = wake;
    wake = undefined;
    waiting?.();
  }
}
