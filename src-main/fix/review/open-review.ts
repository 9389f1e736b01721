import type { ReviewDecision, ReviewNote } from '../../contract/index.ts';
import { VivariumError } from '../../lib/index.ts';
import {
  composePatch,
  patchUnits,
  splitPatch,
  type PatchPart,
  type PatchUnit,
} from '../../patch/index.ts';
import type { Store } from '../../store/index.ts';
import { bodiesOf } from '../checkpoint.ts';
import { chooseAttempt, readAttempts, type AttemptRecord } from '../result.ts';

/** A patch with what a person said of it so far, read from the record. */
export interface OpenReview {
  sessionId: string;
  attempt: AttemptRecord;
  /** All attempts of the session, the reviewed one among them. */
  attempts: readonly AttemptRecord[];
  /** The whole patch. */
  bytes: Uint8Array;
  sha256: string;
  parts: readonly PatchPart[];
  units: readonly PatchUnit[];
  /** By id of the unit; one that is not there is open. */
  decisions: ReadonlyMap<string, ReviewDecision>;
  notes: readonly ReviewNote[];
}

/**
 * Opens the review of an attempt; without an id that of the session's result.
 * @throws VivariumError `nothing_to_export` when there is no patch; `usage` for an unknown attempt.
 */
export function openReview(store: Store, sessionId: string, attemptId?: string): OpenReview {
  const attempts = readAttempts(store, sessionId);
  const attempt =
    attemptId === undefined
      ? chooseAttempt(attempts)
      : attempts.find(({ summary }) => summary.attemptId === attemptId);
  if (attempt === undefined && attemptId !== undefined) throw noAttempt(sessionId, attemptId);
  const blob = attempt?.patch?.blob ?? null;
  if (attempt?.patch === undefined || blob === null) throw noPatch(sessionId);
  const bytes = store.blob(blob);
  const parts = splitPatch(bytes);
  const { sha256 } = attempt.patch;
  return {
    ...{ sessionId, attempt, attempts, bytes, sha256, parts },
    units: patchUnits(parts),
    decisions: decisionsOf(attempt, sha256),
    notes: notesOf(attempt),
  };
}

/** The last word on each piece; what was said of another patch of the attempt does not count. */
function decisionsOf({ events }: AttemptRecord, sha256: string): Map<string, ReviewDecision> {
  const decisions = new Map<string, ReviewDecision>();
  for (const { patch, hunks, decision } of bodiesOf(events, 'review.decided')) {
    if (patch !== sha256) continue;
    for (const id of hunks) decisions.set(id, decision);
  }
  return decisions;
}

/** In the order in which they were first written. Notes to an older patch are kept: they are words. */
function notesOf({ events }: AttemptRecord): ReviewNote[] {
  const notes = new Map<string, ReviewNote>();
  for (const { body } of events) {
    if (body.type === 'review.noted') notes.set(body.note.id, body.note);
    if (body.type === 'review.noteRemoved') notes.delete(body.id);
  }
  return [...notes.values()];
}

/** What was decided of a unit. */
export function decisionOn(review: OpenReview, id: string): ReviewDecision {
  return review.decisions.get(id) ?? 'open';
}

export function isRejected(review: OpenReview, id: string): boolean {
  return decisionOn(review, id) === 'rejected';
}

/** Whether something of the patch is left out. */
export function isPartial(review: OpenReview): boolean {
  return review.units.some(({ id }) => isRejected(review, id));
}

/** The patch without what was rejected; empty when that was all of it. */
export function selectedBytes(review: OpenReview): Uint8Array {
  if (!isPartial(review)) return review.bytes;
  return composePatch(review.parts, (id) => isRejected(review, id));
}

/**
 * As {@link selectedBytes}, for what needs something to work with.
 * @throws VivariumError `nothing_to_export` when everything was rejected.
 */
export function requireSelected(review: OpenReview): Uint8Array {
  const bytes = selectedBytes(review);
  if (bytes.length > 0) return bytes;
  throw new VivariumError(
    'nothing_to_export',
    'every part of the patch was rejected in the review',
    'Accept at least one part, or send your notes back as a follow-up.',
  );
}

function noAttempt(sessionId: string, attemptId: string): VivariumError {
  return new VivariumError(
    'usage',
    `session ${sessionId} has no attempt ${attemptId}`,
    `See its attempts with \`vivarium show ${sessionId}\`.`,
  );
}

function noPatch(sessionId: string): VivariumError {
  return new VivariumError(
    'nothing_to_export',
    `session ${sessionId} has no patch: nothing was changed`,
    `See what happened with \`vivarium show ${sessionId} --steps\`, or run the fix with more attempts.`,
  );
}
