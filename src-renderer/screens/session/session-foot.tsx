import { memo, type RefObject, useContext } from 'react';
import { Button, ToggleButton } from '../../components/button.tsx';
import { useAnnounce } from '../../services.ts';
import { useActionKey, useKeysOf } from '../../shortcuts/use-action-key.ts';
import { sessionText } from '../../text/en/session.ts';
import styles from './session-screen.module.css';
import { useRecordView, useSessionView } from './session-view.ts';
import { FoldsContext } from './timeline/folds.ts';
import type { TimelineHandle } from './timeline/timeline.tsx';

export interface SessionFootProps {
  timeline: RefObject<TimelineHandle | null>;
  /** There are errors to go to. */
  troubled: boolean;
  following: boolean;
  setFollowing: (change: (following: boolean) => boolean) => void;
}

/** How the timeline is read: following, from error to error, open or folded. */
export const SessionFoot = memo(function SessionFoot(props: SessionFootProps) {
  const { timeline, troubled, following, setFollowing } = props;
  const { live } = useSessionView();
  const { actions } = sessionText;
  const folds = useContext(FoldsContext);
  const announce = useAnnounce();
  const goToError = (direction: 1 | -1) => {
    if (timeline.current?.showFailed(direction) === false) announce(sessionText.noErrors);
  };
  useActionKey('session.follow', () => setFollowing((now) => !now), live);
  useActionKey('step.next', () => timeline.current?.showStep(1));
  useActionKey('step.previous', () => timeline.current?.showStep(-1));
  useActionKey('error.next', () => goToError(1), troubled);
  useActionKey('error.previous', () => goToError(-1), troubled);
  const keys = {
    follow: useKeysOf('session.follow'),
    next: useKeysOf('error.next'),
    previous: useKeysOf('error.previous'),
  };
  return (
    <div className={styles.foot}>
      {live && (
        <ToggleButton
          small
          keys={keys.follow}
          isSelected={following}
          onChange={(follow) => setFollowing(() => follow)}
        >
          {actions.follow}
        </ToggleButton>
      )}
      {troubled && (
        <>
          <Button small keys={keys.previous} onPress={() => goToError(-1)}>
            {actions.previousError}
          </Button>
          <Button small keys={keys.next} onPress={() => goToError(1)}>
            {actions.nextError}
          </Button>
        </>
      )}
      <Button small variant="quiet" onPress={() => folds.setAll(false)}>
        {actions.collapse}
      </Button>
      <Button small variant="quiet" onPress={() => folds.setAll(true)}>
        {actions.expand}
      </Button>
      <span className={styles.grow} />
      <Saved />
    </div>
  );
});

function Saved() {
  const { complete } = useRecordView();
  return (
    <span className={styles.saved}>
      {complete ? sessionText.saved : sessionText.timeline.olderLoading}
    </span>
  );
}
