import { useMemo } from 'react';
import { useCalm } from '../../../use-calm.ts';
import { type AttemptSeries, attemptSeries } from '../record/series.ts';
import { useRecordView, useSessionView, useShownActivity } from '../session-view.ts';

/** Charts of a running session: drawing them takes longer than a step that came. */
const EVERY_MS = 1_000;

/** Figures of the shown attempt; `null` before there is one. Of a running one anew each second. */
export function useSeries(): AttemptSeries | null {
  const { attempt, live } = useSessionView();
  const everyMs = live ? EVERY_MS : 0;
  const events = useCalm(useRecordView().events, everyMs);
  const looks = useCalm(useShownActivity()?.memory, everyMs);
  const attemptId = attempt?.attemptId ?? null;
  return useMemo(
    () => (attemptId === null ? null : attemptSeries(events, attemptId, looks ?? [])),
    [events, attemptId, looks],
  );
}
