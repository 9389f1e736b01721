import type { Usage } from '../../models/index.ts';

/** Sums over an attempt; a count stays `null` until a server reports it. */
export interface Totals {
  add(usage: Usage, modelMs: number, toolsMs: number): void;
  addTime(modelMs: number, toolsMs: number): void;
  readonly usage: Usage;
  readonly modelMs: number;
  readonly toolsMs: number;
}

export function createTotals(): Totals {
  const usage: Usage = { promptTokens: null, completionTokens: null, cachedTokens: null };
  let modelMs = 0;
  let toolsMs = 0;
  return {
    add(turn, turnModelMs, turnToolsMs) {
      usage.promptTokens = sum(usage.promptTokens, turn.promptTokens);
      usage.completionTokens = sum(usage.completionTokens, turn.completionTokens);
      usage.cachedTokens = sum(usage.cachedTokens, turn.cachedTokens);
      this.addTime(turnModelMs, turnToolsMs);
    },
    addTime(turnModelMs, turnToolsMs) {
      modelMs += turnModelMs;
      toolsMs += turnToolsMs;
    },
    get usage() {
      return { ...usage };
    },
    get modelMs() {
      return modelMs;
    },
    get toolsMs() {
      return toolsMs;
    },
  };
}

function sum(total: number | null, more: number | null): number | null {
  return more === null ? total : (total ?? 0) + more;
}
