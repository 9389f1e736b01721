import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { reviewText } from '../../../text/en/review.ts';
import styles from '../review.module.css';

/** Characters drawn at first, and with each press: one frame's work. */
const PIECE = 10_000;

/** A line that is too long for its row, piece by piece. */
export function WholeLine({ line, onClose }: { line: string | null; onClose: () => void }) {
  return (
    <Dialog
      title={reviewText.lines.wholeTitle}
      isOpen={line !== null}
      onClose={onClose}
      size="large"
    >
      {line !== null && <Pieces key={line.length} line={line} />}
    </Dialog>
  );
}

function Pieces({ line }: { line: string }) {
  const [shown, setShown] = useState(PIECE);
  const rest = line.length - shown;
  const { lines: words } = reviewText;
  const starts = Array.from(
    { length: Math.ceil(Math.min(shown, line.length) / PIECE) },
    (_, at) => at * PIECE,
  );
  return (
    <div className={styles.form}>
      <div className={styles.titleRow}>
        <span className={styles.soft}>{words.wholeSize(line.length)}</span>
        <span className={styles.grow} />
        <CopyButton text={line} label={words.copy} />
      </div>
      {/* It scrolls, so the keyboard has to reach it. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={styles.wholeLine} tabIndex={0} role="group" aria-label={words.wholeTitle}>
        {starts.map((start) => (
          <VisibleText key={start} text={line.slice(start, start + PIECE)} />
        ))}
      </pre>
      {rest > 0 && (
        <Button small className={styles.start ?? ''} onPress={() => setShown(shown + PIECE)}>
          {words.more(Math.min(rest, PIECE))}
        </Button>
      )}
    </div>
  );
}
