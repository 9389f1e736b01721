import type { SessionTab } from '../../navigation.ts';
import { late } from '../../components/late.tsx';
import { Loading } from '../../components/notes.tsx';
import { useMoveInSession } from '../../services.ts';
import { useActionKey } from '../../shortcuts/use-action-key.ts';
import { sessionText } from '../../text/en/session.ts';
import { SessionHead } from './session-head.tsx';
import styles from './session-screen.module.css';
import { useSessionView } from './session-view.ts';

const ReviewPanel = late(async () => (await import('../review/review-panel.tsx')).ReviewPanel);

/** The review has the whole width; the timeline waits. */
export function WideReview({ attempt }: { attempt: string }) {
  const { got } = useSessionView();
  const move = useMoveInSession();
  const { tabs } = sessionText;
  const leave = (tab: SessionTab) => move({ tab, wide: false }, { replace: false });
  useActionKey('session.timeline', () => leave('timeline'));
  useActionKey('session.verification', () => leave('verification'));
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
