import type { EventOf, SessionResult, StoredEvent, Verification } from '../contract/index.ts';
import type { AttemptSummary, SessionSummary, Store } from '../store/index.ts';
import { bodiesOf } from './checkpoint.ts';

type AttemptResult = SessionResult['attempts'][number];

const NO_TOKENS = { promptTokens: null, completionTokens: null, cachedTokens: null };
const NO_SECONDS = { model: 0, tools: 0, total: 0 };

/** What one attempt left on record. */
export interface AttemptRecord {
  summary: AttemptSummary;
  /** Without the steps, which hold nearly all of a record. */
  events: StoredEvent[];
  finished: EventOf<'attempt.finished'> | undefined;
  patch: EventOf<'patch.made'> | undefined;
  verification: Verification | undefined;
}

/** Reads every attempt of a session; the last word of each kind counts (resume adds words). */
export function readAttempts(store: Store, sessionId: string): AttemptRecord[] {
  return store.attempts(sessionId).map((summary) => {
    const { attemptId } = summary;
    const events = store.events({ sessionId, attemptId, without: 'step.finished' });
    return {
      summary,
      events,
      finished: bodiesOf(events, 'attempt.finished').at(-1),
      patch: bodiesOf(events, 'patch.made').at(-1),
      verification: bodiesOf(events, 'verification.finished').at(-1)?.result,
    };
  });
}

/** Whether an attempt has something to export. */
export function hasPatch(attempt: AttemptRecord): boolean {
  return (attempt.patch?.blob ?? null) !== null;
}

/**
 * The attempt whose patch is the session's result: the first verified one, else the first with a
 * patch after a final answer, else the first with a patch at all.
 */
export function chooseAttempt(attempts: readonly AttemptRecord[]): AttemptRecord | undefined {
  const withPatch = attempts.filter(hasPatch);
  return (
    withPatch.find((attempt) => attempt.verification?.passed) ??
    withPatch.find((attempt) => attempt.finished?.exitReason === 'agent') ??
    withPatch[0]
  );
}

/** The result of a session as the contract has it, derived from the record alone; attempts may be handed in. */
export function sessionResult(
  store: Store,
  summary: SessionSummary,
  attempts: readonly AttemptRecord[] = readAttempts(store, summary.sessionId),
): SessionResult {
  const { sessionId } = summary;
  const events = store.events({ sessionId, without: 'step.finished' });
  const chosen = chooseAttempt(attempts);
  const shown = chosen ?? attempts.findLast((attempt) => attempt.patch);
  // Another attempt may have been exported by hand; its file is not that of the result.
  const ofChosen = events.filter((event) => event.attemptId === chosen?.summary.attemptId);
  const exported = bodiesOf(ofChosen, 'patch.exported').at(-1);
  const finished = bodiesOf(events, 'session.finished').at(-1);
  return {
    sessionId,
    outcome: summary.state,
    repository: summary.repository,
    model: summary.model,
    scaffold: summary.scaffold,
    attempts: attempts.map(attemptResult),
    patch: chosen?.patch ? patchResult(chosen, chosen.patch, exported) : null,
    leftOut: shown?.patch?.leftOut ?? [],
    verification: shown?.verification ?? null,
    detail: finished?.detail ?? null,
  };
}

function attemptResult({ summary, finished, verification }: AttemptRecord): AttemptResult {
  const usage = finished?.usage ?? NO_TOKENS;
  return {
    attemptId: summary.attemptId,
    number: summary.number,
    seed: summary.seed,
    exitReason: summary.exitReason,
    detail: finished?.detail ?? null,
    steps: summary.steps,
    tokens: {
      prompt: usage.promptTokens,
      completion: usage.completionTokens,
      cached: usage.cachedTokens,
    },
    seconds: finished?.seconds ?? NO_SECONDS,
    peakMemoryBytes: finished?.peakMemoryBytes ?? null,
    verified: verification?.passed ?? null,
  };
}

function patchResult(
  attempt: AttemptRecord,
  made: EventOf<'patch.made'>,
  exported: EventOf<'patch.exported'> | undefined,
): NonNullable<SessionResult['patch']> {
  const { sha256, files, insertions, deletions, flags, leftOut } = made;
  return {
    attemptId: attempt.summary.attemptId,
    file: exported?.files.find((file) => file.endsWith('.patch')) ?? null,
    appliesToWorkingTree: exported?.appliesToWorkingTree ?? null,
    ...{ sha256, files, insertions, deletions, flags, leftOut },
  };
}
