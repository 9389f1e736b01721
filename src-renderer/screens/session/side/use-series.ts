import { useMemo } from 'react';
import { type AttemptSeries, attemptSeries } from '../record/series.ts';
import { useSessionView } from '../session-view.ts';

/** Figures of the shown attempt; `null` before there is one. */
export function useSeries(): AttemptSeries | null {
  const { events, attempt, activity } = useSessionView();
  const attemptId = attempt?.attemptId ?? null;
  const looks = activity?.memory;
  return useMemo(
    () => (attemptId === null ? null : attemptSeries(events, attemptId, looks ?? [])),
    [events, attemptId, looks],
  );
}
