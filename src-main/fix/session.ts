import type { EventBody, EventOf, SessionResult, VerificationRun } from '../contract/index.ts';
import { messageOf, VivariumError } from '../lib/index.ts';
import { seedEntriesAt } from '../patch/index.ts';
import { performAttempt, type AttemptEnd, type AttemptJob } from './attempt.ts';
import { exportResult } from './export.ts';
import { hasPatch, readAttempts, sessionResult } from './result.ts';
import type { SessionParts, SessionPlan } from './types.ts';
import { verifyPatch } from './verify/index.ts';

type Outcome = EventOf<'session.finished'>['outcome'];

/** Work of a session that is still to be done; a resumed one has some behind it. */
export interface Remaining {
  /** Attempt to go on with first. */
  resume?: { attemptId: string; number: number; seed: number };
  /** Numbers of attempts that have not begun. */
  fresh: number[];
}

/**
 * Runs the attempts of a session, verifies, chooses, exports and records the end. The session's own
 * events (`session.created`, `snapshot.taken`) are on record already.
 * @throws VivariumError for faults of the environment, after recording the session as failed.
 */
export async function runSession(
  plan: SessionPlan,
  parts: SessionParts,
  remaining: Remaining,
): Promise<SessionResult> {
  const { sessionId } = plan;
  const append = (body: EventBody) => parts.store.append({ sessionId, attemptId: null, body });
  try {
    const cut = await runAttempts(plan, parts, remaining);
    const { outcome, attemptId } = decide(plan, parts, cut);
    if (plan.out !== null && attemptId !== null)
      await exportResult(parts.store, sessionId, { out: plan.out, home: parts.home });
    append({
      type: 'session.finished',
      outcome,
      attemptId,
      detail: cut === null ? null : told(cut),
    });
  } catch (error) {
    const stopped = parts.signal.aborted;
    const outcome = stopped ? 'cancelled' : 'failed';
    const detail = stopped ? null : messageOf(error);
    // An attempt that could not be taken up again is as it was: the session can still go on later.
    const { state } = parts.store.session(sessionId);
    if (state !== 'interrupted')
      append({ type: 'session.finished', outcome, attemptId: null, detail });
    if (!stopped) throw error;
  }
  return sessionResult(parts.store, parts.store.session(sessionId));
}

function decide(
  plan: SessionPlan,
  { store, signal }: SessionParts,
  cut: Cut | null,
): { outcome: Outcome; attemptId: string | null } {
  const attempts = readAttempts(store, plan.sessionId);
  const result = sessionResult(store, store.session(plan.sessionId), attempts);
  const attemptId = result.patch?.attemptId ?? null;
  if (result.verification?.passed && attemptId !== null) return { outcome: 'verified', attemptId };
  if (signal.aborted) return { outcome: 'cancelled', attemptId };
  if (!attempts.some(hasPatch)) {
    return { outcome: cut === null ? 'no_patch' : 'failed', attemptId: null };
  }
  return { outcome: plan.verify === null ? 'patched' : 'not_verified', attemptId };
}

/** Attempts that are left because no model would answer them. */
interface Cut {
  why: Error;
  notRun: number;
}

function told({ why, notRun }: Cut): string {
  const left = notRun === 1 ? '1 attempt was not run' : `${notRun} attempts were not run`;
  const next = why instanceof VivariumError ? ` ${why.next}` : '';
  return `${messageOf(why).replace(/\.$/, '')}; ${left}.${next}`;
}

/**
 * Up to `parallel` attempts at a time; the first verified one ends the others. Where the model is
 * gone for good, those that have not begun are not begun.
 */
async function runAttempts(
  plan: SessionPlan,
  parts: SessionParts,
  { resume, fresh }: Remaining,
): Promise<Cut | null> {
  const stop = new AbortController();
  const signal = AbortSignal.any([parts.signal, stop.signal]);
  const jobs: AttemptJob[] = [
    ...(resume ? [{ ...resume, resume: true, signal }] : []),
    ...fresh.map((number) => ({
      attemptId: `${plan.sessionId}.${number}`,
      number,
      seed: plan.seed + number - 1,
      resume: false,
      signal,
    })),
  ];
  const verifier = createVerifier(plan, parts);
  let cut: Cut | null = null;
  const worker = async () => {
    for (let job = jobs.shift(); job && !signal.aborted; job = jobs.shift()) {
      const end = await performAttempt(plan, parts, job);
      if (await verifier(job, end)) stop.abort(new Error('another attempt was verified'));
      else if (end.outcome.exitReason === 'llm_query_error' && jobs.length > 0) {
        const why = await parts.model.gone(signal).catch(() => null);
        if (why !== null) cut = { why, notRun: (cut?.notRun ?? 0) + jobs.splice(0).length };
      }
    }
  };
  const workers = Array.from({ length: Math.min(plan.parallel, jobs.length) }, () =>
    worker().catch((error: unknown) => {
      // One worker's environment fault would meet the others too: end them all, then report it.
      stop.abort(error);
      throw error;
    }),
  );
  const settled = await Promise.allSettled(workers);
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return cut;
}

/** Verifies one attempt's patch and records it; `true` when it passed. Remembers the run before. */
function createVerifier(plan: SessionPlan, parts: SessionParts) {
  let before: VerificationRun | undefined;
  return async (job: AttemptJob, end: AttemptEnd): Promise<boolean> => {
    const { verify, sessionId } = plan;
    // A cancelled attempt's patch is exported, but the user asked to stop, not to wait for tests.
    if (verify === null || end.changes.length === 0 || job.signal.aborted) return false;
    const { attemptId } = job;
    const phase = (text: string) =>
      parts.onProgress({
        sessionId,
        attemptId,
        attempt: job.number,
        at: { kind: 'phase', text },
      });
    try {
      const result = await verifyPatch({
        command: verify.command,
        timeoutMs: verify.timeoutMs,
        changes: end.changes,
        protect: plan.protect,
        ...(before && { before }),
        signal: job.signal,
        onPhase: phase,
        openAt: (changes) =>
          parts.openWorkspace({
            image: plan.image,
            ...(plan.runtime !== null && { runtime: plan.runtime }),
            seed: seedEntriesAt(plan.snapshot, changes),
            limits: plan.limits,
            labels: { session: sessionId, attempt: `${attemptId}-verify` },
            signal: job.signal,
          }),
      });
      before = result.before;
      const body = { type: 'verification.finished' as const, result };
      parts.store.append({ sessionId, attemptId, body });
      return result.passed;
    } catch (error) {
      if (job.signal.aborted) return false;
      if (error instanceof VivariumError && error.code !== 'workspace_lost') throw error;
      const text = `verification could not be finished: ${messageOf(error)}`;
      parts.store.append({ sessionId, attemptId, body: { type: 'note', level: 'error', text } });
      return false;
    }
  };
}
