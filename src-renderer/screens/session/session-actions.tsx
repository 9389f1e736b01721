import { useState } from 'react';
import { useAction } from '../../api/hooks.ts';
import { errorFacts } from '../../api/call-error.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { Menu } from '../../components/menu.tsx';
import { useNotices } from '../../services.ts';
import { useActionKey } from '../../shortcuts/use-action-key.ts';
import { sessionText } from '../../text/en/session.ts';
import { AgainDialog } from './again-dialog.tsx';
import styles from './session-screen.module.css';
import { useSessionView } from './session-view.ts';

const CHANGED = ['sessions/get', 'sessions/list'] as const;

/** What can be done to the session as a whole. */
export function SessionActions() {
  const { got } = useSessionView();
  const { row } = got;
  const { actions } = sessionText;
  const [again, setAgain] = useState(false);
  const session = row.sessionId;
  const resume = useTold('sessions/resume');
  const canResume = row.state === 'interrupted' || row.state === 'cancelled';
  const start = () => resume.mutate({ session });
  useActionKey('session.resume', start, canResume && !resume.isPending);
  useActionKey('session.again', () => setAgain(true));
  return (
    <div className={styles.actions}>
      {row.state === 'running' && <StopButton />}
      {canResume && (
        <Button
          icon="play"
          variant="primary"
          onPress={start}
          busy={resume.isPending ? actions.resuming : null}
        >
          {actions.resume}
        </Button>
      )}
      {row.state !== 'running' && (
        <Button icon="retry" onPress={() => setAgain(true)}>
          {actions.again}
        </Button>
      )}
      <MoreMenu onAgain={() => setAgain(true)} />
      <AgainDialog isOpen={again} onClose={() => setAgain(false)} />
    </div>
  );
}

function StopButton() {
  const { row } = useSessionView().got;
  const { actions, stopDialog } = sessionText;
  const [asked, setAsked] = useState(false);
  const stop = useTold('sessions/stop');
  useActionKey('session.stop', () => setAsked(true), row.stoppable);
  if (!row.stoppable) return <span className={styles.soft}>{sessionText.elsewhere}</span>;
  return (
    <>
      <Button
        icon="stop"
        onPress={() => setAsked(true)}
        busy={stop.isPending ? actions.stopping : null}
      >
        {actions.stop}
      </Button>
      <ConfirmDialog
        title={stopDialog.title}
        confirm={stopDialog.confirm}
        danger
        isOpen={asked}
        onClose={() => setAsked(false)}
        onConfirm={() => {
          setAsked(false);
          stop.mutate({ session: row.sessionId });
        }}
      >
        <p>{stopDialog.words}</p>
      </ConfirmDialog>
    </>
  );
}

function MoreMenu({ onAgain }: { onAgain: () => void }) {
  const { row } = useSessionView().got;
  const { actions } = sessionText;
  const { sessionId: session, pinned, archived, state } = row;
  const mark = useAction('sessions/mark', CHANGED);
  const pin = () => mark.mutate({ session, pinned: !pinned });
  const archive = () => mark.mutate({ session, archived: !archived });
  useActionKey('session.pin', pin);
  useActionKey('session.archive', archive);
  return (
    <Menu
      label={actions.more}
      trigger={<IconButton icon="more" label={actions.more} />}
      entries={[
        ...(state === 'running'
          ? [{ id: 'again', icon: 'retry' as const, label: actions.again, onAction: onAgain }]
          : []),
        { id: 'pin', icon: 'pin', label: pinned ? actions.unpin : actions.pin, onAction: pin },
        {
          id: 'archive',
          icon: 'archive',
          label: archived ? actions.restore : actions.archive,
          onAction: archive,
        },
        {
          id: 'copy',
          icon: 'copy',
          label: actions.copyId,
          onAction: () => void navigator.clipboard.writeText(session),
        },
      ]}
    />
  );
}

/** An action whose failure is told over the page. */
function useTold(name: 'sessions/stop' | 'sessions/resume') {
  const notices = useNotices();
  const action = useAction(name, CHANGED);
  const mutate = (input: { session: string }) =>
    action.mutate(input, {
      onError: (error) => {
        const { message, next } = errorFacts(error);
        notices.tell({ tone: 'bad', text: `${message}. ${next}` });
      },
    });
  return { isPending: action.isPending, mutate };
}
