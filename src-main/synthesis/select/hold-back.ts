import type { Candidate } from '../types.ts';

/** As many wait for others to come first; each holds a file or more in memory. */
const MOST_HELD = 200;

interface Source {
  next(): Promise<Candidate | undefined>;
  end(): Promise<void>;
}

/**
 * Puts candidates whose quota is full behind the others: they come when no other is left, or when 200
 * wait, so that quotas spread what is made and never keep the target from being reached.
 */
export function holdBack(source: Source, isFull: (candidate: Candidate) => boolean): Source {
  const held: Candidate[] = [];
  return {
    next: async () => {
      while (held.length < MOST_HELD) {
        const candidate = await source.next();
        if (candidate === undefined) break;
        if (!isFull(candidate)) return candidate;
        held.push(candidate);
      }
      return held.shift();
    },
    end: () => source.end(),
  };
}
