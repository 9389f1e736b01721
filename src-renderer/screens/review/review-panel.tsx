import { useState } from 'react';
import { useConnection } from '../../api/hooks.ts';
import { ErrorNote, Loading } from '../../components/notes.tsx';
import type { Review } from '../../../src-main/contract/index.ts';
import { reviewText } from '../../text/en/review.ts';
import { FileList } from './head/file-list.tsx';
import { FlagList } from './head/flag-list.tsx';
import { LeftOut } from './head/left-out.tsx';
import { ReviewFoot } from './head/review-foot.tsx';
import { type ReviewDialog, ReviewHead } from './head/review-head.tsx';
import { ViewBar } from './head/view-bar.tsx';
import { DiffList } from './list/diff-list.tsx';
import { WholeLine } from './list/whole-line.tsx';
import { ReviewContext } from './review-context.ts';
import styles from './review.module.css';
import { type ReviewSource, useReview } from './use-review.ts';
import { useReviewKeys } from './use-review-keys.ts';
import { useReviewState } from './use-review-state.ts';

export interface ReviewPanelProps {
  session: string;
  attempt: string;
  /** The whole width of the page is its own: the files stand beside the changes. */
  wide?: boolean;
  /** Keys that the timeline beside it knows, too, are meant for it. */
  takesKeys?: boolean;
}

/** The patch of an attempt: what it changes, what a person lets through, and how it is taken along. */
export function ReviewPanel(props: ReviewPanelProps) {
  const { session, attempt, wide = false, takesKeys = true } = props;
  const source = useReview(session, attempt);
  const connection = useConnection();
  if (source.review !== undefined) {
    return (
      <Loaded
        key={`${attempt} ${source.review.sha256}`}
        {...{ source, wide, takesKeys }}
        review={source.review}
      />
    );
  }
  if (source.error !== null && connection !== 'connecting') {
    return (
      <div className={styles.failed}>
        <ErrorNote error={source.error} onRetry={source.retry} />
      </div>
    );
  }
  return <Loading>{reviewText.loading}</Loading>;
}

function Loaded(props: {
  source: ReviewSource;
  review: Review;
  wide: boolean;
  takesKeys: boolean;
}) {
  const { source, review, wide, takesKeys } = props;
  const [wholeLine, setWholeLine] = useState<string | null>(null);
  const [dialog, setDialog] = useState<ReviewDialog>(null);
  const state = useReviewState(review, source, { showLine: setWholeLine, wide });
  useReviewKeys(state, { takesKeys, onExport: () => setDialog('export') });
  const goTo = (file: number, line: number | null = null) =>
    state.handle.current?.goToLine(file, line);
  return (
    <ReviewContext value={state.view}>
      <section className={wide ? styles.wide : styles.review} aria-label={reviewText.title}>
        <ReviewHead {...{ dialog, setDialog }} />
        <FlagList onGo={goTo} />
        <LeftOut />
        <ViewBar state={state} wide={wide} onFiles={() => setDialog('files')} />
        <div className={styles.main}>
          {wide && review.files.length > 1 && (
            <div className={styles.files}>
              <FileList onGo={goTo} />
            </div>
          )}
          <DiffList rows={state.rows} handle={state.handle} />
        </div>
        <ReviewFoot {...{ dialog, setDialog }} onGo={goTo} />
        <WholeLine line={wholeLine} onClose={() => setWholeLine(null)} />
      </section>
    </ReviewContext>
  );
}
