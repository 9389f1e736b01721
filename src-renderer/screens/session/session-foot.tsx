import { memo, type RefObject, useContext } from 'react';
import { Button, IconButton, ToggleButton } from '../../components/button.tsx';
import { useAnnounce } from '../../services.ts';
import { useActionKey, useKeysOf } from '../../shortcuts/use-action-key.ts';
import { sessionText } from '../../text/en/session.ts';
import styles from './session-screen.module.css';
import { useRecordView, useSessionView } from './session-view.ts';
import { useIs } from './shared-value.ts';
import { FoldsContext } from './timeline/folds.ts';
import type { TimelineHandle } from './timeline/timeline.tsx';

export interface SessionFootProps {
  timeline: RefObject<TimelineHandle | null>;
  /** How many there are to go to. */
  errors: number;
  following: boolean;
  setFollowing: (change: (following: boolean) => boolean) => void;
}

/** How the timeline is read: following, from error to error, open or folded. */
export const SessionFoot = memo(function SessionFoot(props: SessionFootProps) {
  const { timeline, errors, following, setFollowing } = props;
  const { live, half } = useSessionView();
  const isHere = useIs(half, 'timeline');
  const { actions } = sessionText;
  const folds = useContext(FoldsContext);
  useActionKey('session.follow', () => setFollowing((now) => !now), live);
  useActionKey('step.next', () => timeline.current?.showStep(1), isHere);
  useActionKey('step.previous', () => timeline.current?.showStep(-1), isHere);
  const followKeys = useKeysOf('session.follow');
  return (
    <div className={styles.foot}>
      {live && (
        <ToggleButton
          small
          keys={followKeys}
          isSelected={following}
          onChange={(follow) => setFollowing(() => follow)}
        >
          {actions.follow}
        </ToggleButton>
      )}
      <Errors {...{ timeline, errors }} />
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

/** How many there are, and the ways from one to the next. */
function Errors({ timeline, errors }: Pick<SessionFootProps, 'timeline' | 'errors'>) {
  const { actions } = sessionText;
  const announce = useAnnounce();
  const goTo = (direction: 1 | -1) => {
    if (timeline.current?.showFailed(direction) === false) announce(sessionText.noErrors);
  };
  useActionKey('error.next', () => goTo(1), errors > 0);
  useActionKey('error.previous', () => goTo(-1), errors > 0);
  const keys = { next: useKeysOf('error.next'), previous: useKeysOf('error.previous') };
  if (errors === 0) return null;
  return (
    <span className={styles.errors} role="group" aria-label={actions.errors(errors)}>
      {actions.errors(errors)}
      <IconButton
        icon="chevronDown"
        label={actions.previousError}
        keys={keys.previous}
        className={`${styles.tool} ${styles.up}`}
        onPress={() => goTo(-1)}
      />
      <IconButton
        icon="chevronDown"
        label={actions.nextError}
        keys={keys.next}
        className={styles.tool ?? ''}
        onPress={() => goTo(1)}
      />
    </span>
  );
}
