import { setImmediate } from 'node:timers/promises';

/**
 * For loops of short synchronous steps: await the returned function in each round, and others get
 * their turn every few milliseconds (default 8, half a frame).
 */
export function frameKeeper(sliceMs = 8): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < sliceMs) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
}
