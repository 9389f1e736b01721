import { Icon } from '../../../components/icon.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { reviewText } from '../../../text/en/review.ts';
import { NoteCard } from '../notes/note-card.tsx';
import { NoteEditor } from '../notes/note-editor.tsx';
import { useReviewView } from '../review-context.ts';
import styles from './diff.module.css';
import type { Remarks } from './remarks.ts';
import type { Flag } from './rows.ts';

export interface RemarkCardsProps {
  path: string;
  line: number | null;
  remarks: Remarks;
}

/** Flags and notes below the line they concern. */
export function RemarkCards({ path, line, remarks }: RemarkCardsProps) {
  const { draft } = useReviewView();
  return (
    <div className={styles.remarks}>
      {remarks.flags.map((flag, index) => (
        // eslint-disable-next-line react/no-array-index-key -- flags of a patch never move
        <FlagLine key={index} flag={flag} />
      ))}
      {remarks.notes.map((note) =>
        draft?.id === note.id ? (
          <NoteEditor key={note.id} draft={draft} initial={note.text} />
        ) : (
          <NoteCard key={note.id} note={note} />
        ),
      )}
      {remarks.draft && <NoteEditor draft={{ path, line, id: null }} initial="" />}
    </div>
  );
}

function FlagLine({ flag }: { flag: Flag }) {
  return (
    <p className={styles.flag}>
      <Icon name="flag" />
      <span>
        <b>{reviewText.flags.tag[flag.kind]}</b> <VisibleText text={flag.detail} />
      </span>
    </p>
  );
}
