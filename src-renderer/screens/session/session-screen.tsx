import { useQueryClient } from '@tanstack/react-query';
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { outdate, useCall, useConnection } from '../../api/hooks.ts';
import { ErrorNote, Loading } from '../../components/notes.tsx';
import { Page } from '../../components/page.tsx';
import { SplitPane } from '../../components/split-pane.tsx';
import { sessionText } from '../../text/en/session.ts';
import { shellText } from '../../text/en/shell.ts';
import type { SessionScreenProps } from '../props.ts';
import { chosenAttempt } from './record/attempts.ts';
import { isTrouble, timelineOf } from './record/timeline.ts';
import { SessionFoot } from './session-foot.tsx';
import { SessionHead } from './session-head.tsx';
import styles from './session-screen.module.css';
import {
  RecordViewContext,
  type SessionHalf,
  type SessionView,
  SessionViewContext,
  useRecordView,
  useSessionView,
} from './session-view.ts';
import { createShared } from './shared-value.ts';
import { SidePanel } from './side/side-panel.tsx';
import { createFolds, FoldsContext } from './timeline/folds.ts';
import { Timeline, type TimelineHandle } from './timeline/timeline.tsx';
import { useRecord } from './use-record.ts';
import { WideReview } from './wide-review.tsx';

export default function SessionScreen({ place }: SessionScreenProps) {
  const enabled = useConnection() !== 'connecting';
  const { session } = place;
  const got = useCall('sessions/get', { session }, { enabled });
  const record = useRecord(session);
  const [hovered] = useState(() => createShared<number | null>(null));
  const [half] = useState(() =>
    createShared<SessionHalf>(place.tab === 'review' ? 'side' : 'timeline'),
  );
  useSeen(got.dataUpdatedAt);
  const { events, complete } = record;
  const shown = useMemo(() => (events === null ? null : { events, complete }), [events, complete]);
  const error = got.error ?? record.error;
  if (error !== null) {
    const retry = () => {
      void got.refetch();
      record.retry();
    };
    return (
      <Page title={shellText.screens.sessions}>
        <div className={styles.failed}>
          <ErrorNote error={error} onRetry={retry} />
        </div>
      </Page>
    );
  }
  if (got.data === undefined || shown === null) {
    return <Loading>{sessionText.loading}</Loading>;
  }
  return (
    <RecordViewContext value={shown}>
      <Shown got={got.data} {...{ place, hovered, half }} />
    </RecordViewContext>
  );
}

type ShownProps = Pick<SessionView, 'place' | 'got' | 'hovered' | 'half'>;

/** Drawn anew only when more changes than the record. */
const Shown = memo(function Shown({ place, got, hovered, half }: ShownProps) {
  const view = useMemo((): SessionView => {
    const attempt = chosenAttempt(got, place.attempt);
    const live = got.row.state === 'running' && (attempt === null || attempt.exitReason === null);
    return { place, got, hovered, half, attempt, live };
  }, [place, got, hovered, half]);
  const { attempt } = view;
  return (
    <SessionViewContext value={view}>
      {place.wide === true && place.tab === 'review' && attempt !== null ? (
        <WideReview attempt={attempt.attemptId} />
      ) : (
        <Panes />
      )}
    </SessionViewContext>
  );
});

function Panes() {
  const { place, live, attempt, hovered, half } = useSessionView();
  const { events } = useRecordView();
  const timeline = useRef<TimelineHandle>(null);
  const [folds] = useState(createFolds);
  const [following, setFollowing] = useState(live && place.step === null);
  // A session that is resumed, or whose next attempt begins, is followed again.
  const [wasLive, setWasLive] = useState(live);
  if (wasLive !== live) {
    setWasLive(live);
    if (live) setFollowing(place.step === null);
  }
  const attemptId = attempt?.attemptId ?? null;
  const items = useMemo(() => timelineOf(events, attemptId), [events, attemptId]);
  const toTimeline = useCallback(() => timeline.current?.focus(), []);
  return (
    <FoldsContext value={folds}>
      <SplitPane
        name="session"
        sideRem={31}
        main={
          // Only notes where a person is; everything in it has its own roles.
          // eslint-disable-next-line jsx-a11y/no-static-element-interactions
          <div
            className={styles.main}
            onFocusCapture={() => half.set('timeline')}
            onPointerDownCapture={() => half.set('timeline')}
          >
            <SessionHead />
            <Timeline
              key={attemptId}
              ref={timeline}
              {...{ place, items, live, hovered, following, setFollowing }}
            />
            <SessionFoot
              {...{ timeline, following, setFollowing }}
              errors={items.filter(isTrouble).length}
            />
          </div>
        }
        side={<SidePanel onTimeline={toTimeline} />}
      />
    </FoldsContext>
  );
}

/** The core marks a session as seen when it is asked for: lists are old then. */
function useSeen(askedAt: number): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (askedAt > 0) void outdate(queries, ['sessions/list']);
  }, [queries, askedAt]);
}
