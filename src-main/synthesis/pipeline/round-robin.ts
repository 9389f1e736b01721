import type { Candidate } from '../types.ts';

/**
 * Takes from each source in turn until all are at their end. Safe for several takers: one is served
 * after the other. An error of a source is the taker's.
 */
export function roundRobin(sources: readonly AsyncIterable<Candidate>[]): {
  next(): Promise<Candidate | undefined>;
  end(): Promise<void>;
} {
  const waiting = sources.map((source) => source[Symbol.asyncIterator]());
  let queue: Promise<unknown> = Promise.resolve();
  const take = async (): Promise<Candidate | undefined> => {
    for (let source = waiting.shift(); source !== undefined; source = waiting.shift()) {
      const { done, value } = await source.next();
      if (done === true) continue;
      waiting.push(source);
      return value;
    }
    return undefined;
  };
  return {
    next: () => {
      const taken = queue.then(take);
      queue = taken.catch(() => undefined);
      return taken;
    },
    end: async () => {
      await queue;
      for (const source of waiting) await source.return?.();
    },
  };
}
