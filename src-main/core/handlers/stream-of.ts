/** How what is told faster than it is taken is kept. */
interface Keep {
  /** Items kept at most; of more, the oldest go. */
  most: number;
}

/**
 * Work that tells its progress by a callback, as a stream. The work ends by the signal it is given,
 * also when the one who takes stops early.
 */
export async function* streamOf<T, R>(
  run: (tell: (item: T) => void, signal: AbortSignal) => Promise<R>,
  { signal, most }: Keep & { signal: AbortSignal },
): AsyncGenerator<T, R, void> {
  const stop = new AbortController();
  const waiting: T[] = [];
  let wake: (() => void) | undefined;
  let isDone = false;
  const done = run(
    (item) => {
      waiting.push(item);
      if (waiting.length > most) waiting.shift();
      wake?.();
    },
    AbortSignal.any([signal, stop.signal]),
  ).finally(() => {
    isDone = true;
    wake?.();
  });
  // The fault is thrown where the work is awaited below.
  done.catch(() => undefined);
  try {
    for (;;) {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) yield item;
      if (isDone) return await done;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (waiting.length > 0 || isDone) resolve();
      });
    }
  } finally {
    stop.abort();
  }
}
