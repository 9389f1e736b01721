import { type KeyboardEvent, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { TextArea } from '../../../components/text-field.tsx';
import { useDraft } from '../../../components/use-draft.ts';
import { reviewText } from '../../../text/en/review.ts';
import { visibleLine } from '../../../visible.ts';
import { type NoteDraft, useReviewView } from '../review-context.ts';
import styles from './notes.module.css';

/** Writes a note, or changes one. Ctrl+Enter keeps it, Escape leaves it. */
export function NoteEditor({ draft, initial }: { draft: NoteDraft; initial: string }) {
  const { review, saveNote, setDraft } = useReviewView();
  const { notes } = reviewText;
  const file = review.files.findIndex(({ path }) => path === draft.path);
  const place = draft.id ?? `${file}:${draft.line ?? ''}`;
  // Kept by the core: scrolled out of sight, the field is gone.
  const { text, setText, discard } = useDraft(`note ${review.attempt} ${place}`, initial);
  const [saving, setSaving] = useState(false);
  const isEmpty = text.trim() === '';
  const save = async () => {
    if (isEmpty || saving) return;
    setSaving(true);
    const { path, line, id } = draft;
    const kept = await saveNote({ path, line, text, ...(id !== null && { id }) });
    setSaving(false);
    if (kept) leave();
  };
  const leave = () => {
    discard();
    setDraft(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') leave();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
    else return;
    event.preventDefault();
  };
  return (
    // Keys of the form as a whole: the field has none of its own for them.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className={styles.editor}
      role="group"
      aria-label={notes.label(visibleLine(draft.path), draft.line)}
      onKeyDown={onKeyDown}
    >
      <TextArea
        label={notes.field}
        hideLabel
        rows={3}
        value={text}
        onChange={setText}
        placeholder={notes.placeholder}
        // It was asked for at this very place.
        // eslint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
      />
      <div className={styles.buttons}>
        <Button
          small
          variant="primary"
          isDisabled={isEmpty}
          busy={saving ? notes.saving : null}
          keys="mod+enter"
          onPress={() => void save()}
        >
          {notes.save}
        </Button>
        <Button small variant="quiet" onPress={leave}>
          {notes.cancel}
        </Button>
      </div>
    </div>
  );
}
