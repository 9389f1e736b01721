import type { MemoryComparison, ServerPlan } from '../servers/types.ts';

/** What was measured after the start, beside what the plan said before it. */
export function compare(plan: ServerPlan, measuredBytes: number): MemoryComparison {
  const estimatedBytes = plan.estimate.totalBytes;
  return {
    estimatedBytes,
    measuredBytes,
    // A plan without an estimate has nothing to be compared with.
    ratio: estimatedBytes > 0 ? measuredBytes / estimatedBytes : 0,
  };
}
