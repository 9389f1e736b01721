import type { KeyboardEvent } from 'react';
import { classes } from '../../../components/classes.ts';
import { VisibleText } from '../../../components/visible-text.tsx';
import { reviewText } from '../../../text/en/review.ts';
import { visibleLine } from '../../../visible.ts';
import { useReviewView } from '../review-context.ts';
import { DecideButtons } from './decide-buttons.tsx';
import styles from './diff.module.css';
import type { Row } from './rows.ts';

/** Longer ones are cut: git copies a line of the file into them. */
const LONGEST_HEADER = 200;

/** The `@@` line of a hunk and what was decided of it. */
export function HunkHead({ row }: { row: Extract<Row, { kind: 'hunk' }> }) {
  const { review, cursor, mark, decide, moveLine } = useReviewView();
  const { file, unit, decided } = row;
  const header = visibleLine(row.header.slice(0, LONGEST_HEADER));
  const isMarked = decided && cursor?.file === file && cursor.unit === unit;
  const decision = review.files[file]?.hunks.find(({ id }) => id === unit)?.decision ?? 'open';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    moveLine(event.key === 'ArrowDown' ? 1 : -1);
  };
  const shown = (
    <span className={styles.header}>
      <VisibleText text={header} />
    </span>
  );
  if (!decided) return <div className={styles.hunkHead}>{shown}</div>;
  return (
    // The group takes keys only while it has the focus itself.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className={classes(styles.hunkHead, isMarked && styles.marked)}
      role="group"
      aria-label={header}
      aria-current={isMarked ? 'true' : undefined}
      data-stop={unit}
      tabIndex={-1}
      onFocus={() => {
        if (!isMarked) mark({ file, unit, line: null });
      }}
      onKeyDown={onKeyDown}
    >
      {shown}
      <span className={styles.grow} />
      <DecideButtons
        decision={decision}
        labels={{
          accepted: reviewText.decide.acceptHunk(header),
          rejected: reviewText.decide.rejectHunk(header),
          open: reviewText.decide.undoHunk(header),
        }}
        onDecide={(next) => decide([unit], next)}
      />
    </div>
  );
}
