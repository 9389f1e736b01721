import type { ServerState } from '../servers/types.ts';

/** Where each state can lead. `lost` is never entered: others read it from a dead owner's record. */
export const TRANSITIONS: Readonly<Record<ServerState, readonly ServerState[]>> = {
  stopped: ['planning'],
  planning: ['loading', 'stopping', 'failed'],
  // To itself: another try after a failure.
  loading: ['loading', 'ready', 'stopping', 'failed'],
  ready: ['busy', 'loading', 'stopping', 'failed'],
  busy: ['ready', 'loading', 'stopping', 'failed'],
  // To failed: processes are left that nothing ends.
  stopping: ['stopped', 'failed'],
  failed: ['planning'],
  lost: ['planning'],
};

export function canPass(from: ServerState, to: ServerState): boolean {
  return TRANSITIONS[from].includes(to);
}
