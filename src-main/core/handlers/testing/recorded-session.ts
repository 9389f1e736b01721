import { makePatch, takeSnapshot, type Change } from '../../../patch/index.ts';
import type { Environment } from '../../environment.ts';

const LIMITS = { memoryBytes: 2 ** 30, cpus: 1, pids: 100, diskBytes: 2 ** 30, inodes: 100_000 };

const CREATED = {
  type: 'session.created' as const,
  title: 'Totals are off by one',
  issue: 'Totals are off by one.\n',
  model: {
    engine: 'scripted',
    name: 'sample',
    spec: 'script:replies.jsonl',
    contextTokens: null,
    sha256: null,
    details: {},
  },
  scaffold: { name: 'leaf', hash: 'h', file: null },
  request: {},
  limits: LIMITS,
  owner: 'me',
};

const FINISHED = {
  type: 'attempt.finished' as const,
  exitReason: 'agent' as const,
  detail: null,
  steps: 1,
  finalMessage: 'Done.',
  usage: { promptTokens: 100, completionTokens: 10, cachedTokens: 50 },
  seconds: { model: 1.5, tools: 0.5, total: 2 },
  peakMemoryBytes: 1000,
};

/** For tests: a session that has ended with these changes as its patch, on record with its snapshot. */
export async function recordedSession(
  environment: Environment,
  repository: string,
  changes: readonly Change[],
  sessionId = 's1',
  more: { issue?: string; title?: string } = {},
): Promise<void> {
  const { store, config } = environment;
  const snapshot = await takeSnapshot(repository, { home: config.home, sessionId });
  const made = await makePatch(snapshot, changes);
  const { repository: top, ...taken } = snapshot;
  const attemptId = `${sessionId}.1`;
  const ofSession = { sessionId, attemptId: null };
  const ofAttempt = { sessionId, attemptId };
  store.append({ ...ofSession, body: { ...CREATED, repository: top, ...more } });
  store.append({ ...ofSession, body: { type: 'snapshot.taken', ...taken, seconds: 1 } });
  const started = { number: 1, seed: 1, owner: 'me', resumedFromStep: null };
  store.append({ ...ofAttempt, body: { type: 'attempt.started', ...started } });
  store.append({ ...ofAttempt, body: FINISHED });
  const { bytes, ...facts } = made;
  const blob = bytes.length === 0 ? null : made.sha256;
  store.append({
    ...ofAttempt,
    body: { type: 'patch.made', ...facts, blob, source: 'live' },
    blobs: blob === null ? [] : [bytes],
  });
  const outcome = blob === null ? 'no_patch' : 'patched';
  const end = { outcome, attemptId: blob === null ? null : attemptId, detail: null } as const;
  store.append({ ...ofSession, body: { type: 'session.finished', ...end } });
}
