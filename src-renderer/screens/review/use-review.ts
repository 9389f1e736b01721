import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Review, ReviewDecision } from '../../../src-main/contract/index.ts';
import { errorFacts } from '../../api/call-error.ts';
import { callKey, useCall, useSessionEvents } from '../../api/hooks.ts';
import { useServices } from '../../services.ts';
import { reviewText } from '../../text/en/review.ts';
import { useNewest } from '../../use-newest.ts';
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
  const own = useOthersChanges(session, attempt, got);
  const review = useMemo(
    () => (got.data === undefined ? undefined : withDecisions(got.data, pending)),
    [got.data, pending],
  );
  /** Resolves to whether it was done; what went wrong is told. */
  const change = async (asked: () => Promise<Review>, words: (why: string) => string) => {
    own.begin();
    try {
      queries.setQueryData(callKey('review/get', { session, attempt }), await asked());
      own.end(true);
      return true;
    } catch (error) {
      own.end(false);
      notices.tell({ tone: 'bad', text: words(errorFacts(error).message) });
      // What is shown may be older than what is there.
      void got.refetch();
      return false;
    }
  };
  return {
    review,
    error: got.error,
    retry: () => void got.refetch(),
    decide(ids, decision) {
      if (ids.length === 0) return;
      const asked = { ids, decision };
      const patch = got.data?.sha256;
      setPending((others) => [...others, asked]);
      void change(
        () => client.call('review/decide', { session, attempt, hunks: [...ids], decision, patch }),
        reviewText.decide.failed,
      ).finally(() => setPending((others) => others.filter((other) => other !== asked)));
    },
    saveNote: (note) =>
      change(() => client.call('review/note', { session, attempt, note }), reviewText.notes.failed),
    removeNote(id) {
      void change(
        () => client.call('review/removeNote', { session, attempt, id }),
        reviewText.notes.failed,
      );
    },
  };
}

interface OwnChanges {
  begin: () => void;
  end: (done: boolean) => void;
}

/**
 * Reads the review again when somebody else changed it: another page, or the command line. The
 * record tells how many changes there were; those made here have their answer already.
 */
function useOthersChanges(
  session: string,
  attempt: string,
  got: UseQueryResult<Review>,
): OwnChanges {
  const record = useSessionEvents(session, null).data;
  const count = useMemo(
    () =>
      record?.events.filter(
        ({ attemptId, body }) => attemptId === attempt && body.type.startsWith('review.'),
      ).length ?? null,
    [record, attempt],
  );
  const known = useRef<number | null>(null);
  const [running, setRunning] = useState(0);
  const loaded = got.data !== undefined;
  const refetch = useNewest(got.refetch);
  useEffect(() => {
    if (count === null || !loaded || running > 0) return;
    if (known.current !== null && count > known.current) void refetch.current();
    known.current = Math.max(count, known.current ?? 0);
  }, [count, loaded, running, refetch]);
  return {
    begin: () => setRunning((others) => others + 1),
    end(done) {
      if (done && known.current !== null) known.current += 1;
      setRunning((others) => others - 1);
    },
  };
}
