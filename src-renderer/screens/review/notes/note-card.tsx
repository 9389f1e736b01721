import { IconButton } from '../../../components/button.tsx';
import { Icon } from '../../../components/icon.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { reviewText } from '../../../text/en/review.ts';
import { visibleLine } from '../../../visible.ts';
import type { Note } from '../list/rows.ts';
import { useReviewView } from '../review-context.ts';
import styles from './notes.module.css';

/** A note where it belongs. */
export function NoteCard({ note }: { note: Note }) {
  const { setDraft, removeNote } = useReviewView();
  const { notes } = reviewText;
  return (
    <div
      className={styles.card}
      role="group"
      aria-label={notes.label(visibleLine(note.path), note.line)}
    >
      <Icon name="note" />
      <p className={styles.text}>
        <VisibleText text={note.text} />
      </p>
      <IconButton
        icon="edit"
        label={notes.edit}
        className={styles.tool ?? ''}
        onPress={() => setDraft({ path: note.path, line: note.line, id: note.id })}
      />
      <IconButton
        icon="trash"
        label={notes.remove}
        className={styles.tool ?? ''}
        onPress={() => removeNote(note.id)}
      />
    </div>
  );
}
