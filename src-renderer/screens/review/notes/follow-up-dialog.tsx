import { useAction } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { ErrorNote } from '../../../components/notes.tsx';
import { TextArea } from '../../../components/text-field.tsx';
import { useDraft } from '../../../components/use-draft.ts';
import { sessionPlace } from '../../../navigation.ts';
import { useServices } from '../../../services.ts';
import { reviewText } from '../../../text/en/review.ts';
import { useReviewView } from '../review-context.ts';
import styles from '../review.module.css';
import { NoteList } from './note-list.tsx';

/** Notes and words go back to the model; what comes of them is a session of its own. */
export function FollowUpDialog({ onClose }: { onClose: () => void }) {
  const { review } = useReviewView();
  const { navigate } = useServices();
  const { session, attempt, notes } = review;
  const { followUp: words } = reviewText;
  const { text, setText, discard, ready } = useDraft(`follow-up ${attempt}`);
  const start = useAction('sessions/followUp', ['sessions/list']);
  const isEmpty = text.trim() === '' && notes.length === 0;
  const send = () =>
    start.mutate(
      { session, attempt, text: text.trim() },
      {
        onSuccess({ session: next }) {
          discard();
          onClose();
          navigate(sessionPlace(next));
        },
      },
    );
  return (
    <Dialog
      title={words.title}
      isOpen
      onClose={onClose}
      actions={
        <Button
          variant="primary"
          isDisabled={isEmpty}
          busy={start.isPending ? words.sending : null}
          onPress={send}
        >
          {words.send}
        </Button>
      }
    >
      <div className={styles.form}>
        <p className={styles.soft}>{words.words}</p>
        <TextArea
          label={words.field}
          value={text}
          onChange={setText}
          placeholder={words.placeholder}
          isDisabled={!ready}
          hint={isEmpty ? words.empty : undefined}
          // The one field of the dialog.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
        />
        {notes.length === 0 ? (
          <p className={styles.soft}>{words.noNotes}</p>
        ) : (
          <>
            <p>{words.notes(notes.length)}</p>
            <NoteList notes={notes} />
          </>
        )}
        {start.error !== null && <ErrorNote error={start.error} />}
      </div>
    </Dialog>
  );
}
