import type { StepRecord } from '../agent/index.ts';
import type { Store } from '../store/index.ts';
import {
  CACHE_FALL_SENTENCES,
  explainCacheFall,
  type CacheFallCause,
  type CacheTurn,
  type ServerGlimpse,
} from './cache-fall.ts';

/** More turns than this are not needed to judge one. */
const KEPT_TURNS = 8;

export interface CacheWatchParts {
  store: Pick<Store, 'events'>;
  sessionId: string;
  /** What is known of the server since a moment (milliseconds since 1970); `null` = nothing. */
  glimpse: (since: number) => ServerGlimpse | null;
}

/** Follows an attempt and tells when the server computes anew what it had. */
export interface CacheWatch {
  /** To be called after each step; a warning for people, or `null`. Each cause once in a session. */
  afterStep(record: StepRecord): string | null;
}

export function createCacheWatch(parts: CacheWatchParts): CacheWatch {
  const told = new Set<CacheFallCause>();
  let turns: CacheTurn[] = [];
  let lastStepAt = Date.now();

  /** Attempts side by side and before a resume have told through the record. */
  function toldBefore(cause: CacheFallCause): boolean {
    if (told.has(cause)) return true;
    told.add(cause);
    return parts.store
      .events({ sessionId: parts.sessionId })
      .some(
        ({ body }) => body.type === 'note' && body.text.startsWith(CACHE_FALL_SENTENCES[cause]),
      );
  }

  return {
    afterStep(record) {
      const since = lastStepAt;
      lastStepAt = Date.now();
      // The first one stays: it tells how long the beginning is that all turns share.
      const [first, ...others] = [...turns, turnOf(record)];
      turns = first === undefined ? [] : [first, ...others.slice(-KEPT_TURNS)];
      if (explainCacheFall(turns, null) === null) return null;
      const fall = explainCacheFall(turns, parts.glimpse(since));
      return fall === null || toldBefore(fall.cause) ? null : fall.text;
    },
  };
}

function turnOf({ step, usage, messages, observations, notes }: StepRecord): CacheTurn {
  const reply = messages.find((message) => message.role === 'assistant');
  // Notes of the reply come before those of its observations.
  const ofObservations = observations.reduce((sum, each) => sum + each.notes.length, 0);
  return {
    step,
    ...usage,
    repaired: notes.length > ofObservations,
    userMessage: messages.some((message) => message.role === 'user'),
    thought: (reply?.reasoning ?? '') !== '',
  };
}
