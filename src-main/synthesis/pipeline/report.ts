import type { MethodShare, Refusal, SynthReport, TriedCandidate } from './types.ts';

/** Time that one call took; seconds. */
export interface Spent {
  seconds: number;
  testSeconds: number;
  workers: number;
  /** Valid tasks of this call. */
  made: number;
}

/** Counts over all that was tried, and the speed of this call. */
export function reportOf(
  tried: readonly TriedCandidate[],
  { target, flaky }: { target: number; flaky: readonly string[] },
  spent: Spent,
): SynthReport {
  const { seconds, testSeconds, workers, made } = spent;
  const had = seconds * workers;
  return {
    target,
    tried: tried.length,
    validated: tried.filter(({ task }) => task !== null).length,
    byMethod: sharesOf(tried),
    refusals: refusalsOf(tried),
    flaky,
    seconds,
    testSeconds,
    testShare: had > 0 ? testSeconds / had : 0,
    tasksAnHourPerWorker: had > 0 ? (made * 3600) / had : 0,
    workers,
  };
}

function sharesOf(tried: readonly TriedCandidate[]): MethodShare[] {
  const shares = new Map<string, MethodShare>();
  for (const { generator, method, task } of tried) {
    const key = `${generator} ${method}`;
    const share = shares.get(key) ?? { generator, method, tried: 0, validated: 0 };
    share.tried += 1;
    if (task !== null) share.validated += 1;
    shares.set(key, share);
  }
  return [...shares].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, share]) => share);
}

function refusalsOf(tried: readonly TriedCandidate[]): SynthReport['refusals'] {
  const counts = new Map<Refusal, number>();
  for (const { refusal } of tried) {
    if (refusal !== null) counts.set(refusal, (counts.get(refusal) ?? 0) + 1);
  }
  return [...counts]
    .map(([refusal, count]) => ({ refusal, count }))
    .toSorted((a, b) => b.count - a.count || (a.refusal < b.refusal ? -1 : 1));
}
