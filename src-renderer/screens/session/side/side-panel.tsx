import { memo, useEffect } from 'react';
import type { EventOf } from '../../../../src-main/contract/index.ts';
import { late } from '../../../components/late.tsx';
import { EmptyState, Loading } from '../../../components/notes.tsx';
import { StateMark } from '../../../components/state-mark.tsx';
import { type TabEntry, Tabs } from '../../../components/tabs.tsx';
import type { SessionTab } from '../../../navigation.ts';
import { useMoveInSession } from '../../../services.ts';
import { useActionKey } from '../../../shortcuts/use-action-key.ts';
import { sessionText } from '../../../text/en/session.ts';
import { newestOf } from '../record/timeline.ts';
import { useRecordView, useSessionView } from '../session-view.ts';
import { useIs } from '../shared-value.ts';
import { ChartStrip } from './chart-strip.tsx';
import { FilesPanel } from './files-panel.tsx';
import { showSide, SIDE_ID } from './show-side.ts';
import styles from './side.module.css';
import { VerificationPanel } from './verification-panel.tsx';

const ReviewPanel = late(async () => (await import('../../review/review-panel.tsx')).ReviewPanel);
const ChartsPanel = late(async () => (await import('./charts-panel.tsx')).default);
const AttemptsPanel = late(async () => (await import('./attempts-panel.tsx')).default);
const ProvenancePanel = late(async () => (await import('./provenance-panel.tsx')).default);

type SideTab = Exclude<SessionTab, 'timeline'>;

/** What there is about the session beside its timeline; the address holds the chosen tab. */
export const SidePanel = memo(function SidePanel({ onTimeline }: { onTimeline: () => void }) {
  const { attempt } = useSessionView();
  const { events } = useRecordView();
  const patch = attempt === null ? null : newestOf(events, 'patch.made', attempt.attemptId);
  return <Side onTimeline={onTimeline} patch={patch} />;
});

interface SideProps {
  onTimeline: () => void;
  patch: EventOf<'patch.made'> | null;
}

/** Drawn anew when there is a patch, not with each event before. */
const Side = memo(function Side({ onTimeline, patch }: SideProps) {
  const move = useMoveInSession();
  const { place, got, attempt, half } = useSessionView();
  // Known before the whole record is there.
  const isResult = attempt !== null && got.result.patch?.attemptId === attempt.attemptId;
  const usual: SideTab = patch === null && !isResult ? 'charts' : 'review';
  const selected: SideTab = place.tab === 'timeline' ? usual : place.tab;
  const select = (tab: SideTab) => move({ tab });
  const tabs = useTabs(patch, isResult);
  useEffect(() => {
    if (place.tab !== 'timeline') showSide();
  }, [place.tab]);
  useTabKeys(
    (tab) => {
      half.set('side');
      select(tab);
      showSide();
    },
    () => {
      half.set('timeline');
      onTimeline();
    },
  );
  return (
    // Only notes where a person is; everything in it has its own roles.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      id={SIDE_ID}
      className={styles.side}
      onFocusCapture={() => half.set('side')}
      onPointerDownCapture={() => half.set('side')}
    >
      <Tabs<SideTab>
        label={sessionText.tabs.label}
        selected={selected}
        onSelect={select}
        tabs={tabs}
      />
      {selected !== 'charts' && <ChartStrip />}
    </div>
  );
});

function useTabs(patch: EventOf<'patch.made'> | null, isResult: boolean): Array<TabEntry<SideTab>> {
  const { got, attempt } = useSessionView();
  const { tabs: words } = sessionText;
  const verified = attempt?.verified ?? null;
  const attempts = got.result.attempts.length;
  return [
    {
      id: 'review',
      label: words.review,
      render: () => <ReviewOrNothing there={isResult || (patch?.blob ?? null) !== null} />,
    },
    {
      id: 'verification',
      label: words.verification,
      ...(verified !== null && {
        extra: <StateMark kind="test" state={verified ? 'passed' : 'failed'} shapeOnly />,
      }),
      render: () => <VerificationPanel />,
    },
    {
      id: 'files',
      label: words.files,
      ...(patch !== null && { extra: patch.files.length }),
      render: () => <FilesPanel />,
    },
    {
      id: 'charts',
      label: words.charts,
      render: () => <ChartsPanel waiting={waiting(words.charts)} />,
    },
    {
      id: 'attempts',
      label: words.attempts,
      ...(attempts > 1 && { extra: attempts }),
      render: () => <AttemptsPanel waiting={waiting(words.attempts)} />,
    },
    {
      id: 'provenance',
      label: words.provenance,
      render: () => <ProvenancePanel waiting={waiting(words.provenance)} />,
    },
  ];
}

function waiting(name: string) {
  return <Loading>{sessionText.tabs.loading(name)}</Loading>;
}

function ReviewOrNothing({ there }: { there: boolean }) {
  const { got, attempt, live, half } = useSessionView();
  const { reviewNothing } = sessionText;
  const isHere = useIs(half, 'side');
  if (attempt !== null && there) {
    const { attemptId } = attempt;
    return (
      <ReviewPanel
        session={got.row.sessionId}
        attempt={attemptId}
        takesKeys={isHere}
        waiting={waiting(sessionText.tabs.review)}
      />
    );
  }
  return (
    <EmptyState icon="file" title={live ? reviewNothing.titleRunning : reviewNothing.title}>
      {live ? reviewNothing.running : reviewNothing.ended}
    </EmptyState>
  );
}

function useTabKeys(select: (tab: SideTab) => void, onTimeline: () => void): void {
  useActionKey('session.timeline', onTimeline);
  useActionKey('session.review', () => select('review'));
  useActionKey('session.verification', () => select('verification'));
  useActionKey('session.files', () => select('files'));
  useActionKey('session.charts', () => select('charts'));
  useActionKey('session.attempts', () => select('attempts'));
  useActionKey('session.provenance', () => select('provenance'));
}
