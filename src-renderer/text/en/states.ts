/** One or two words for every state there is. They stand beside a shape, so they are never dropped. */
export const statesText = {
  session: {
    running: 'running',
    interrupted: 'interrupted',
    verified: 'verified',
    patched: 'patch to review',
    not_verified: 'not verified',
    no_patch: 'no patch',
    cancelled: 'stopped',
    failed: 'failed',
  },
  server: {
    stopped: 'stopped',
    planning: 'planning',
    loading: 'loading',
    ready: 'ready',
    busy: 'busy',
    stopping: 'stopping',
    failed: 'failed',
    lost: 'lost',
  },
  check: {
    ok: 'fine',
    warning: 'look at this',
    missing: 'missing',
    unknown: 'not known',
  },
  test: {
    passed: 'passed',
    failed: 'failed',
    error: 'error',
    skipped: 'skipped',
  },
  decision: {
    accepted: 'accepted',
    rejected: 'rejected',
    open: 'open',
  },
  connection: {
    connecting: 'connecting',
    open: 'connected',
    lost: 'connection lost',
    refused: 'not accepted',
  },
};
