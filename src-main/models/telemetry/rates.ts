import type { SampleInterval, ServerFigures, ServerSample } from '../servers/types.ts';

/** A server's counters as they were at a moment. */
export interface Baseline {
  /** Milliseconds of a clock that never goes back. */
  at: number;
  pids: readonly number[];
  figures: ServerFigures;
}

type Rates = Pick<
  ServerSample,
  'promptPerSecond' | 'generatedPerSecond' | 'cacheHitShare' | 'firstTokenMs' | 'interval'
>;

const NO_RATES: Rates = {
  promptPerSecond: null,
  generatedPerSecond: null,
  cacheHitShare: null,
  firstTokenMs: null,
  interval: null,
};

const COUNTERS = [
  'promptTokens',
  'generatedTokens',
  'cacheQueriedTokens',
  'cacheHitTokens',
  'firstTokenSecondsSum',
  'firstTokenCount',
] as const satisfies (keyof ServerFigures)[];

/** What a server did between two looks; nothing is known where it was started anew in between. */
export function ratesBetween(before: Baseline | null, now: Baseline | null): Rates {
  if (before === null || now === null || now.at <= before.at) return NO_RATES;
  if (wasRestarted(before, now)) return NO_RATES;
  const grown = (name: (typeof COUNTERS)[number]): number | null => {
    const [from, to] = [before.figures[name], now.figures[name]];
    return from === null || to === null ? null : to - from;
  };
  const interval: SampleInterval = {
    ms: now.at - before.at,
    promptTokens: grown('promptTokens'),
    generatedTokens: grown('generatedTokens'),
    cacheQueriedTokens: grown('cacheQueriedTokens'),
    cacheHitTokens: grown('cacheHitTokens'),
    firstTokenSeconds: grown('firstTokenSecondsSum'),
    firstTokenCount: grown('firstTokenCount'),
  };
  return {
    promptPerSecond: share(interval.promptTokens, interval.ms, 1000),
    generatedPerSecond: share(interval.generatedTokens, interval.ms, 1000),
    cacheHitShare: share(interval.cacheHitTokens, interval.cacheQueriedTokens),
    firstTokenMs: share(interval.firstTokenSeconds, interval.firstTokenCount, 1000),
    interval,
  };
}

/** A counter went back, or none of the processes is one of before. */
function wasRestarted(before: Baseline, now: Baseline): boolean {
  const others = before.pids.length > 0 && now.pids.length > 0;
  if (others && !now.pids.some((pid) => before.pids.includes(pid))) return true;
  return COUNTERS.some((name) => {
    const [from, to] = [before.figures[name], now.figures[name]];
    return from !== null && to !== null && to < from;
  });
}

function share(part: number | null, whole: number | null, scale = 1): number | null {
  return part === null || whole === null || whole <= 0 ? null : (part / whole) * scale;
}
