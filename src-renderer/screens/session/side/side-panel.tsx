import { lazy, type ReactNode, Suspense } from 'react';
import type { EventOf } from '../../../../src-main/contract/index.ts';
import { EmptyState, Loading } from '../../../components/notes.tsx';
import { StateMark } from '../../../components/state-mark.tsx';
import { type TabEntry, Tabs } from '../../../components/tabs.tsx';
import type { SessionTab } from '../../../navigation.ts';
import { useServices } from '../../../services.ts';
import { useActionKey } from '../../../shortcuts/use-action-key.ts';
import { sessionText } from '../../../text/en/session.ts';
import { newestOf } from '../record/timeline.ts';
import { useSessionView } from '../session-view.ts';
import { useIs } from '../shared-value.ts';
import { ChartStrip } from './chart-strip.tsx';
import { FilesPanel } from './files-panel.tsx';
import styles from './side.module.css';
import { VerificationPanel } from './verification-panel.tsx';

const ReviewPanel = lazy(async () => ({
  default: (await import('../../review/review-panel.tsx')).ReviewPanel,
}));
const ChartsPanel = lazy(() => import('./charts-panel.tsx'));
const AttemptsPanel = lazy(() => import('./attempts-panel.tsx'));
const ProvenancePanel = lazy(() => import('./provenance-panel.tsx'));

type SideTab = Exclude<SessionTab, 'timeline'>;

/** What there is about the session beside its timeline; the address holds the chosen tab. */
export function SidePanel({ onTimeline }: { onTimeline: () => void }) {
  const { navigate } = useServices();
  const { place, events, attempt, half } = useSessionView();
  const patch = attempt === null ? null : newestOf(events, 'patch.made', attempt.attemptId);
  const usual: SideTab = patch === null ? 'charts' : 'review';
  const selected: SideTab = place.tab === 'timeline' ? usual : place.tab;
  const select = (tab: SideTab) => navigate({ ...place, tab }, { replace: true });
  const tabs = useTabs(patch);
  useTabKeys(
    (tab) => {
      half.set('side');
      select(tab);
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
}

function useTabs(patch: EventOf<'patch.made'> | null): Array<TabEntry<SideTab>> {
  const { got, attempt } = useSessionView();
  const { tabs: words } = sessionText;
  const verified = attempt?.verified ?? null;
  const attempts = got.result.attempts.length;
  return [
    {
      id: 'review',
      label: words.review,
      render: lazily(
        words.review,
        <ReviewOrNothing there={patch !== null && patch.blob !== null} />,
      ),
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
    { id: 'charts', label: words.charts, render: lazily(words.charts, <ChartsPanel />) },
    {
      id: 'attempts',
      label: words.attempts,
      ...(attempts > 1 && { extra: attempts }),
      render: lazily(words.attempts, <AttemptsPanel />),
    },
    {
      id: 'provenance',
      label: words.provenance,
      render: lazily(words.provenance, <ProvenancePanel />),
    },
  ];
}

function lazily(name: string, panel: ReactNode): () => ReactNode {
  return () => (
    <Suspense fallback={<Loading>{sessionText.tabs.loading(name)}</Loading>}>{panel}</Suspense>
  );
}

function ReviewOrNothing({ there }: { there: boolean }) {
  const { got, attempt, live, half } = useSessionView();
  const { reviewNothing } = sessionText;
  const isHere = useIs(half, 'side');
  if (attempt !== null && there) {
    const { attemptId } = attempt;
    return <ReviewPanel session={got.row.sessionId} attempt={attemptId} takesKeys={isHere} />;
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
