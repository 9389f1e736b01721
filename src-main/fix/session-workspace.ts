import { seedEntriesAt, type Change } from '../patch/index.ts';
import type { OpenWorkspace } from '../workspaces/index.ts';
import type { SessionPlan } from './types.ts';

/**
 * What a workspace of a session is opened with: those of attempts and of verification are alike. The
 * repository lies where the task says, else where the scaffold's models were trained to find it.
 */
export function sessionWorkspace(
  plan: SessionPlan,
  { changes, label, signal }: { changes: readonly Change[]; label: string; signal: AbortSignal },
): OpenWorkspace {
  const { root } = plan.scaffold;
  return {
    image: plan.image,
    ...(plan.runtime !== null && { runtime: plan.runtime }),
    seed: seedEntriesAt(plan.snapshot, changes),
    limits: plan.limits,
    ...(root !== undefined && { root }),
    ...plan.place,
    labels: { session: plan.sessionId, attempt: label },
    signal,
  };
}
