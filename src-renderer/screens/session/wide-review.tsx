import { late } from '../../components/late.tsx';
import { Loading } from '../../components/notes.tsx';
import { useServices } from '../../services.ts';
import { useActionKey } from '../../shortcuts/use-action-key.ts';
import { sessionText } from '../../text/en/session.ts';
import { SessionHead } from './session-head.tsx';
import styles from './session-screen.module.css';
import { useSessionView } from './session-view.ts';

const ReviewPanel = late(async () => (await import('../review/review-panel.tsx')).ReviewPanel);

/** The review has the whole width; the timeline waits. */
export function WideReview({ attempt }: { attempt: string }) {
  const { place, got } = useSessionView();
  const { navigate } = useServices();
  const { tabs } = sessionText;
  useActionKey('session.timeline', () => navigate({ ...place, tab: 'timeline', wide: false }));
  useActionKey('session.verification', () =>
    navigate({ ...place, tab: 'verification', wide: false }),
  );
  return (
    <div className={styles.main}>
      <SessionHead />
      <ReviewPanel
        session={got.row.sessionId}
        {...{ attempt }}
        wide
        waiting={<Loading>{tabs.loading(tabs.review)}</Loading>}
      />
    </div>
  );
}
