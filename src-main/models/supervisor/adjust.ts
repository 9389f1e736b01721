import type { Failure, ServerPlan } from '../servers/types.ts';

/** The plan with what the failure says would help; `null` when it says nothing for the plan. */
export function adjustPlan(plan: ServerPlan, failure: Failure): ServerPlan | null {
  const { contextTokens, sequences } = failure.retryWith ?? {};
  if (contextTokens === undefined && sequences === undefined) return null;
  const changed = { ...plan };
  const said: string[] = [];
  if (contextTokens !== undefined) {
    changed.contextTokens = contextTokens;
    said.push(`a context of ${contextTokens} tokens`);
  }
  if (sequences !== undefined) {
    changed.sequences = sequences;
    said.push(sequences === 1 ? 'one sequence' : `${sequences} sequences`);
  }
  changed.reason = `${plan.reason} Then ${said.join(' and ')}, since the engine refused more.`;
  return changed;
}

/** For people: what is different in the next try. */
export function adjustment(from: ServerPlan, to: ServerPlan): string {
  const parts: string[] = [];
  if (from.contextTokens !== to.contextTokens) {
    parts.push(`a context of ${to.contextTokens} instead of ${from.contextTokens} tokens`);
  }
  if (from.sequences !== to.sequences) {
    parts.push(`${to.sequences} instead of ${from.sequences} sequences`);
  }
  return parts.join(' and ');
}
