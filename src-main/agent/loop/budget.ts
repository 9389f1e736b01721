import type { Usage } from '../../models/index.ts';
import type { AttemptLimits } from '../types.ts';

/** A shorter reply could not even hold a call. */
const SHORTEST_REPLY_TOKENS = 64;

/**
 * Room in the context window, by the server's own counts only. What the observations of the last
 * turn add is not known before the server has counted it, and is never guessed: a request that does
 * not fit is refused by the server, which ends the attempt as well.
 */
export interface Budget {
  readonly windowTokens: number;
  /** Notes what the server counted for a turn. */
  count(usage: Usage): void;
  /** What the server counted last, or what is expected since. */
  usedTokens(): number;
  /** The next prompt is shorter than the last one: an estimate, until the server counts again. */
  expect(tokens: number): void;
  /** Limit of new tokens for the next turn; `null` when it cannot fit any more. */
  nextMaxTokens(): number | null;
  /** Why it cannot fit. */
  fullDetail(): string;
}

/** `contextTokens` is the server's real window where known (L08). */
export function createBudget(limits: AttemptLimits, contextTokens: number | null): Budget {
  const inputTokens = limits.maxInputTokens ?? Number.POSITIVE_INFINITY;
  const windowTokens = Math.min(limits.maxContextTokens, contextTokens ?? Number.POSITIVE_INFINITY);
  let usedTokens = 0;
  return {
    windowTokens,
    count({ promptTokens, completionTokens }) {
      // A server that does not count leaves the window to its own refusal.
      if (promptTokens !== null) usedTokens = promptTokens + (completionTokens ?? 0);
    },
    usedTokens: () => usedTokens,
    expect(tokens) {
      usedTokens = tokens;
    },
    nextMaxTokens() {
      // The next prompt holds at least all that was used so far.
      if (usedTokens > inputTokens) return null;
      const left = windowTokens - usedTokens;
      return left < SHORTEST_REPLY_TOKENS ? null : Math.min(limits.maxTokensPerTurn, left);
    },
    fullDetail: () =>
      usedTokens > inputTokens
        ? `the server counted ${String(usedTokens)} tokens, and a prompt may have ${String(inputTokens)}`
        : `the server counted ${String(usedTokens)} tokens of a window of ${String(windowTokens)}`,
  };
}
