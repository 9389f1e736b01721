import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { outdate, useActivity, useCall, useConnection } from '../../api/hooks.ts';
import { ErrorNote, Loading } from '../../components/notes.tsx';
import { Page } from '../../components/page.tsx';
import { SplitPane } from '../../components/split-pane.tsx';
import { sessionText } from '../../text/en/session.ts';
import { shellText } from '../../text/en/shell.ts';
import type { SessionScreenProps } from '../props.ts';
import { chosenAttempt } from './record/attempts.ts';
import { timelineOf } from './record/timeline.ts';
import { SessionFoot } from './session-foot.tsx';
import { SessionHead } from './session-head.tsx';
import styles from './session-screen.module.css';
import { type SessionHalf, type SessionView, SessionViewContext } from './session-view.ts';
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
  const attempt = got.data === undefined ? null : chosenAttempt(got.data, place.attempt);
  const activity = useActivity(session, attempt?.number ?? null);
  const [hovered] = useState(() => createShared<number | null>(null));
  const [half] = useState(() =>
    createShared<SessionHalf>(place.tab === 'review' ? 'side' : 'timeline'),
  );
  useSeen(got.dataUpdatedAt);
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
  if (got.data === undefined || record.events === null) {
    return <Loading>{sessionText.loading}</Loading>;
  }
  const view: SessionView = {
    ...{ place, got: got.data, attempt, hovered, half },
    ...{ events: record.events, complete: record.complete },
    live: got.data.row.state === 'running' && (attempt === null || attempt.exitReason === null),
    activity,
  };
  return (
    <SessionViewContext value={view}>
      {place.wide === true && place.tab === 'review' && attempt !== null ? (
        <WideReview attempt={attempt.attemptId} />
      ) : (
        <Panes view={view} />
      )}
    </SessionViewContext>
  );
}

function Panes({ view }: { view: SessionView }) {
  const { place, events, live, attempt, half } = view;
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
              {...{ place, items, live, following, setFollowing }}
              activity={view.activity}
              hovered={view.hovered}
            />
            <SessionFoot {...{ timeline, items, following, setFollowing }} />
          </div>
        }
        side={<SidePanel onTimeline={() => timeline.current?.focus()} />}
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
