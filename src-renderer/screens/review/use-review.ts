import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Review, ReviewDecision } from '../../../src-main/contract/index.ts';
import { errorFacts } from '../../api/call-error.ts';
import { callKey, useCall } from '../../api/hooks.ts';
import { useServices } from '../../services.ts';
import { reviewText } from '../../text/en/review.ts';
import { type PendingDecision, withDecisions } from './totals.ts';

export interface ReviewSource {
  /** With the decisions that are on their way; `undefined` while it is read. */
  review: Review | undefined;
  error: Error | null;
  retry: () => void;
  decide: (ids: readonly string[], decision: ReviewDecision) => void;
  /** Resolves to whether it was kept; what went wrong is told. */
  saveNote: (note: {
    id?: string;
    path: string;
    line: number | null;
    text: string;
  }) => Promise<boolean>;
  removeNote: (id: string) => void;
}

/** A review as the core has it, and what changes it. Decisions show at once. */
export function useReview(session: string, attempt: string): ReviewSource {
  const { client, notices } = useServices();
  const queries = useQueryClient();
  const got = useCall('review/get', { session, attempt });
  const [pending, setPending] = useState<readonly PendingDecision[]>([]);
  const keep = (review: Review) =>
    queries.setQueryData(callKey('review/get', { session, attempt }), review);
  const failed = (words: (why: string) => string) => (error: unknown) =>
    notices.tell({ tone: 'bad', text: words(errorFacts(error).message) });
  const review = useMemo(
    () => (got.data === undefined ? undefined : withDecisions(got.data, pending)),
    [got.data, pending],
  );
  return {
    review,
    error: got.error,
    retry: () => void got.refetch(),
    decide(ids, decision) {
      if (ids.length === 0) return;
      const own = { ids, decision };
      setPending((others) => [...others, own]);
      client
        .call('review/decide', { session, attempt, hunks: [...ids], decision })
        .then(keep, failed(reviewText.decide.failed))
        .finally(() => setPending((others) => others.filter((other) => other !== own)));
    },
    async saveNote(note) {
      try {
        keep(await client.call('review/note', { session, attempt, note }));
        return true;
      } catch (error) {
        failed(reviewText.notes.failed)(error);
        return false;
      }
    },
    removeNote(id) {
      client
        .call('review/removeNote', { session, attempt, id })
        .then(keep, failed(reviewText.notes.failed));
    },
  };
}
