import type { ReactNode } from 'react';
import { Button } from '../../../components/button.tsx';
import { Banner } from '../../../components/notes.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { profileText as text } from '../../../text/en/model-profile.ts';
import styles from '../models.module.css';
import { useUnsaved } from './use-unsaved.ts';

/** Save, discard, and how much is changed; at the top, where it stays in sight. */
export function SaveBar(props: {
  switches: ReactNode;
  /** Words on what is changed; `null` = nothing is. */
  changed: string | null;
  isSaving: boolean;
  onSave: () => void;
  onDiscard: () => void;
}) {
  const none = props.changed === null;
  useUnsaved(!none);
  return (
    <div className={styles.row}>
      {props.switches}
      <span className={styles.grow} />
      <span className={styles.soft} role="status">
        {props.changed ?? text.unchanged}
      </span>
      <Button isDisabled={none} onPress={props.onDiscard}>
        {text.discard}
      </Button>
      <Button
        variant="primary"
        isDisabled={none}
        busy={props.isSaving ? text.saving : null}
        onPress={props.onSave}
      >
        {text.save}
      </Button>
    </div>
  );
}

/** What the saved profile says about programs and files of this machine. */
export function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <Banner tone="warn">
      <b>{text.notes}</b>
      <p>{text.notesWords}</p>
      <ul className={styles.list}>
        {notes.map((note) => (
          <li key={note}>
            <VisibleText text={note} />
          </li>
        ))}
      </ul>
    </Banner>
  );
}
