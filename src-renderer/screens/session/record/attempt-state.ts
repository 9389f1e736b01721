import type { OutputOf, SessionResult } from '../../../../src-main/contract/index.ts';

type Attempt = SessionResult['attempts'][number];
export type AttemptState = OutputOf<'sessions/get'>['row']['state'];

/** The state of an attempt in the words of sessions. */
export function attemptState(
  { exitReason, verified }: Pick<Attempt, 'exitReason' | 'verified'>,
  hasPatch: boolean,
): AttemptState {
  if (exitReason === null) return 'running';
  if (exitReason === 'interrupted') return 'interrupted';
  if (verified !== null) return verified ? 'verified' : 'not_verified';
  if (exitReason === 'cancelled') return 'cancelled';
  if (exitReason !== 'agent') return 'failed';
  return hasPatch ? 'patched' : 'no_patch';
}
