import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { StateMark } from '../../../components/state-mark.tsx';
import { reviewText } from '../../../text/en/review.ts';
import { FollowUpDialog } from '../notes/follow-up-dialog.tsx';
import { NoteList } from '../notes/note-list.tsx';
import { useReviewView } from '../review-context.ts';
import styles from '../review.module.css';
import { totalsOf } from '../totals.ts';
import { exportWords } from '../export/export-words.ts';
import { FileList } from './file-list.tsx';
import type { GoProps } from './flag-list.tsx';
import type { DialogState } from './review-head.tsx';

/** What was decided, what is exported by that, and the way back to the model. */
export function ReviewFoot({ dialog, setDialog, onGo }: DialogState & GoProps) {
  const { review } = useReviewView();
  const totals = totalsOf(review.files);
  const close = () => setDialog(null);
  const goAndClose: GoProps['onGo'] = (file, line) => {
    close();
    onGo(file, line);
  };
  return (
    <div className={styles.foot}>
      <div className={styles.totals} role="status" aria-label={reviewText.totals.label}>
        <StateMark
          kind="decision"
          state="accepted"
          quiet={totals.accepted === 0}
          words={reviewText.totals.accepted(totals.accepted)}
        />
        <StateMark
          kind="decision"
          state="rejected"
          quiet={totals.rejected === 0}
          words={reviewText.totals.rejected(totals.rejected)}
        />
        <StateMark kind="decision" state="open" words={reviewText.totals.open(totals.open)} />
      </div>
      <div className={styles.buttons}>
        {review.notes.length > 0 && (
          <Button small variant="quiet" icon="note" onPress={() => setDialog('notes')}>
            {reviewText.notes.title(review.notes.length)}
          </Button>
        )}
        <Button small icon="retry" onPress={() => setDialog('follow-up')}>
          {reviewText.followUp.button}
        </Button>
      </div>
      <p className={styles.soft}>{exportWords(totals, review.verification !== null)}</p>
      {dialog === 'follow-up' && <FollowUpDialog onClose={close} />}
      <Dialog title={reviewText.notes.list} isOpen={dialog === 'notes'} onClose={close}>
        <NoteList notes={review.notes} onGo={goAndClose} />
      </Dialog>
      <Dialog
        title={reviewText.files(review.files.length)}
        isOpen={dialog === 'files'}
        onClose={close}
        size="large"
      >
        <div className={styles.fileDialog}>
          <FileList onGo={goAndClose} />
        </div>
      </Dialog>
    </div>
  );
}
