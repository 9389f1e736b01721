import type { EventOf, SessionResult, StoredEvent } from '../contract/index.ts';
import { bodiesOf } from './checkpoint.ts';
import type { OpenReview } from './review/open-review.ts';
import { selectedFacts, selectionOf } from './review/selection.ts';

type Created = EventOf<'session.created'>;

/** Version of the provenance file's own form. */
const FORMAT = 'vivarium-provenance-1';

/**
 * Where a patch comes from: everything a reviewer needs to judge or repeat it, from the record.
 * Written beside the patch as NAME.json.
 */
export function provenance(
  events: readonly StoredEvent[],
  review: OpenReview,
  result: SessionResult,
): Record<string, unknown> {
  const created = bodiesOf(events, 'session.created').at(-1);
  const snapshot = bodiesOf(events, 'snapshot.taken').at(-1);
  const { attempt } = review;
  const opened = bodiesOf(attempt.events, 'workspace.opened').at(-1);
  const { summary, finished, patch, verification } = attempt;
  const selection = selectionOf(review);
  const reviewed = selection.partial || selection.notes.length > 0;
  return {
    format: FORMAT,
    session: result.sessionId,
    attempt: { id: summary.attemptId, number: summary.number, seed: summary.seed },
    issue: created?.issue ?? null,
    repository: result.repository,
    base: snapshot && {
      commit: snapshot.baseCommit,
      tree: snapshot.tree,
      dirty: snapshot.dirty,
      notCarried: snapshot.notCarried,
    },
    model: created?.model ?? null,
    scaffold: created?.scaffold ?? null,
    workspace: opened && {
      image: opened.attestation.imageId,
      limits: created?.limits ?? null,
      attestation: opened.attestation,
    },
    exitReason: summary.exitReason,
    detail: finished?.detail ?? null,
    steps: summary.steps,
    tokens: finished?.usage ?? null,
    seconds: finished?.seconds ?? null,
    peakMemoryBytes: finished?.peakMemoryBytes ?? null,
    patch: patch && {
      source: patch.source,
      ...selectedFacts(review),
      leftOut: patch.leftOut,
    },
    ...(created?.followUp && { followUp: followed(created.followUp) }),
    // `verification` is of the whole patch: where parts were rejected it says nothing of the rest.
    ...(reviewed && { review: selection }),
    verification: verification ?? null,
    otherAttempts: result.attempts.filter((other) => other.attemptId !== summary.attemptId),
  };
}

function followed({ sessionId, attemptId, patch }: NonNullable<Created['followUp']>) {
  return { session: sessionId, attempt: attemptId, patch };
}
