import { VisibleText } from '../../../components/visible-text.tsx';
import { reviewText } from '../../../text/en/review.ts';
import { visibleLine } from '../../../visible.ts';
import type { GoProps } from '../head/flag-list.tsx';
import type { Note } from '../list/rows.ts';
import { useReviewView } from '../review-context.ts';
import styles from './notes.module.css';

/** Notes below each other; with `onGo` each is a way to its line. */
export function NoteList({ notes, onGo }: { notes: readonly Note[]; onGo?: GoProps['onGo'] }) {
  const { files } = useReviewView().review;
  return (
    <ul className={styles.list} aria-label={reviewText.notes.list}>
      {notes.map((note) => {
        const file = files.findIndex(({ path }) => path === note.path);
        const path = visibleLine(note.path);
        const place =
          note.line === null
            ? `${path}, ${reviewText.notes.wholeFile}`
            : reviewText.flags.atLine(path, note.line);
        return (
          <li key={note.id} className={styles.item}>
            {onGo === undefined || file === -1 ? (
              <span className={styles.where}>{place}</span>
            ) : (
              <button type="button" className={styles.where} onClick={() => onGo(file, note.line)}>
                {place}
              </button>
            )}
            <span className={styles.text}>
              <VisibleText text={note.text} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
