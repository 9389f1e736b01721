import { Button } from '../../../components/button.tsx';
import { Changes } from '../../../components/figures.tsx';
import { StateMark } from '../../../components/state-mark.tsx';
import { formatPlace } from '../../../navigation.ts';
import { usePlace } from '../../../services.ts';
import { reviewText } from '../../../text/en/review.ts';
import { visibleLine } from '../../../visible.ts';
import { ExportDialog } from '../export/export-dialog.tsx';
import { useReviewView } from '../review-context.ts';
import styles from '../review.module.css';
import { changesOf, totalsOf } from '../totals.ts';

export type ReviewDialog = 'export' | 'follow-up' | 'files' | 'notes' | null;

export interface DialogState {
  dialog: ReviewDialog;
  setDialog: (dialog: ReviewDialog) => void;
}

/** How much there is, whether it works, and what can be done with all of it. */
export function ReviewHead({ dialog, setDialog }: DialogState) {
  const { review, decide } = useReviewView();
  const { insertions, deletions } = changesOf(review.files);
  const totals = totalsOf(review.files);
  const everything = [...review.files.keys()].map(String);
  const { decide: words } = reviewText;
  return (
    <div className={styles.head}>
      <div className={styles.titleRow}>
        <p>
          <b>{reviewText.files(review.files.length)}</b>{' '}
          <Changes insertions={insertions} deletions={deletions} />
        </p>
        <span className={styles.grow} />
        <div className={styles.buttons} role="group" aria-label={words.all}>
          {totals.open < totals.all && (
            <Button small variant="quiet" onPress={() => decide(everything, 'open')}>
              {words.undoAll}
            </Button>
          )}
          <Button
            small
            isDisabled={totals.rejected === totals.all}
            onPress={() => decide(everything, 'rejected')}
          >
            {words.rejectAll}
          </Button>
          <Button
            small
            isDisabled={totals.accepted === totals.all}
            onPress={() => decide(everything, 'accepted')}
          >
            {words.acceptAll}
          </Button>
        </div>
        <Button variant="primary" onPress={() => setDialog('export')}>
          {reviewText.export.button}
        </Button>
      </div>
      <Facts />
      {dialog === 'export' && <ExportDialog onClose={() => setDialog(null)} />}
    </div>
  );
}

/** Verified or not, and whether it applies where it is wanted. */
function Facts() {
  const { review } = useReviewView();
  const place = usePlace();
  const { verification, appliesToWorkingTree: applies, appliesDetail } = review;
  const words = reviewText.applies;
  return (
    <div className={styles.facts}>
      {verification === null ? (
        <StateMark kind="check" state="unknown" words={reviewText.verification.none} />
      ) : (
        <>
          <span className={styles.summary} title={visibleLine(verification.summary)}>
            <StateMark
              kind="session"
              state={verification.passed ? 'verified' : 'not_verified'}
              words={visibleLine(verification.summary)}
            />
          </span>
          {place.screen === 'session' && (
            <a href={formatPlace({ ...place, tab: 'verification', wide: false })}>
              {reviewText.verification.open}
            </a>
          )}
        </>
      )}
      <StateMark
        kind="check"
        state={applies === null ? 'unknown' : applies ? 'ok' : 'warning'}
        words={applies === null ? words.unknown : applies ? words.yes : words.no}
      />
      {applies === false && appliesDetail !== null && (
        <span className={styles.detail} title={visibleLine(appliesDetail)}>
          {visibleLine(appliesDetail)}
        </span>
      )}
    </div>
  );
}
