/** Looks at servers for the tests of this room. */
import type { ServerSample } from '../contract/index.ts';

/** A look in which everything is known; `change` overrides members. */
export function look(at: number, change: Partial<ServerSample> = {}): ServerSample {
  const interval = change.interval === undefined ? INTERVAL : change.interval;
  return {
    at,
    memoryBytes: 2 ** 31,
    gpuBytes: 2 ** 33,
    gpuUtilization: 0.5,
    figures: {
      running: 1,
      waiting: 0,
      kvUsed: 0.25,
      promptTokens: 4000,
      generatedTokens: 700,
      cacheQueriedTokens: 4000,
      cacheHitTokens: 3000,
      firstTokenSecondsSum: 6.5,
      firstTokenCount: 13,
    },
    promptPerSecond: 200,
    generatedPerSecond: 10,
    cacheHitShare: 0.75,
    firstTokenMs: 500,
    alert: null,
    ...change,
    interval,
  };
}

const INTERVAL = {
  ms: 1000,
  promptTokens: 200,
  generatedTokens: 10,
  cacheQueriedTokens: 200,
  cacheHitTokens: 150,
  firstTokenSeconds: 0.5,
  firstTokenCount: 1,
};
