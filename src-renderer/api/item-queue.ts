import { STREAM_WINDOW } from '../../src-main/contract/index.ts';

/** Told to the core in parts, so that it never waits while there is something to send. */
const TELL_EVERY = STREAM_WINDOW / 4;

export interface ItemQueue<T, O> {
  push(item: T): void;
  end(output: O): void;
  fail(error: unknown): void;
  /** The next item, or the output when there is none any more; rejects with the failure. */
  next(): Promise<IteratorResult<T, O>>;
}

/** Items that came and nobody has taken yet; `onTaken` hears how many were. */
export function createItemQueue<T, O>(onTaken: (count: number) => void): ItemQueue<T, O> {
  const items: T[] = [];
  let ending: { output: O } | { error: unknown } | undefined;
  let wake: (() => void) | undefined;
  let untold = 0;

  function wakeUp(): void {
    const waiting = wake;
    wake = undefined;
    waiting?.();
  }

  function take(item: T): IteratorResult<T, O> {
    untold += 1;
    if (untold >= TELL_EVERY && ending === undefined) {
      onTaken(untold);
      untold = 0;
    }
    return { done: false, value: item };
  }

  return {
    push(item) {
      items.push(item);
      wakeUp();
    },
    end(output) {
      ending ??= { output };
      wakeUp();
    },
    fail(error) {
      ending ??= { error };
      wakeUp();
    },
    async next() {
      for (;;) {
        const item = items.shift();
        if (item !== undefined) return take(item);
        if (ending !== undefined) {
          if ('error' in ending) throw ending.error;
          return { done: true, value: ending.output };
        }
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
