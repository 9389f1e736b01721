import type { Usage } from '../../models/index.ts';

/** Sums over an attempt; a count stays `null` until a server reports it. */
export interface Totals {
  add(usage: Usage): void;
  /** `waitedMs`: while the model's server was paused. */
  addTime(modelMs: number, toolsMs: number, waitedMs: number): void;
  readonly usage: Usage;
  readonly modelMs: number;
  readonly toolsMs: number;
  readonly waitedMs: number;
}

export function createTotals(): Totals {
  const usage: Usage = { promptTokens: null, completionTokens: null, cachedTokens: null };
  let modelMs = 0;
  let toolsMs = 0;
  let waitedMs = 0;
  return {
    add(turn) {
      usage.promptTokens = sum(usage.promptTokens, turn.promptTokens);
      usage.completionTokens = sum(usage.completionTokens, turn.completionTokens);
      usage.cachedTokens = sum(usage.cachedTokens, turn.cachedTokens);
    },
    addTime(turnModelMs, turnToolsMs, turnWaitedMs) {
      modelMs += turnModelMs;
      toolsMs += turnToolsMs;
      waitedMs += turnWaitedMs;
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
    get waitedMs() {
      return waitedMs;
    },
  };
}

function sum(total: number | null, more: number | null): number | null {
  return more === null ? total : (total ?? 0) + more;
}
