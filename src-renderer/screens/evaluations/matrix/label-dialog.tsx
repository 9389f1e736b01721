import { useState } from 'react';
import { useAction, useCall } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { ErrorNote } from '../../../components/notes.tsx';
import { ComboBox } from '../../../components/select.tsx';
import { TextArea } from '../../../components/text-field.tsx';
import { cellsText } from '../../../text/en/run-cells.ts';
import type { Cell } from '../cells.ts';
import styles from './matrix.module.css';

export interface LabelDialogProps {
  cell: Pick<Cell, 'session'>;
  onClose: () => void;
}

/** What a person says of an attempt, beside what was computed. */
export function LabelDialog({ cell: { session }, onClose }: LabelDialogProps) {
  const { dialog: words } = cellsText;
  const got = useCall('evaluation/cell', { session });
  return (
    <Known
      // What is on record is the start of what is typed.
      key={String(got.data !== undefined)}
      session={session}
      known={got.data?.cell.label ?? null}
      title={words.title}
      onClose={onClose}
    />
  );
}

interface KnownProps {
  session: string;
  known: { label: string; note: string } | null;
  title: string;
  onClose: () => void;
}

function Known({ session, known, title, onClose }: KnownProps) {
  const { dialog: words } = cellsText;
  const [label, setLabel] = useState(known?.label ?? '');
  const [note, setNote] = useState(known?.note ?? '');
  const save = useAction('evaluation/label', ['evaluation/cell', 'evaluation/run']);
  const set = (said: string | null) =>
    save.mutate({ session, label: said, note: said === null ? '' : note }, { onSuccess: onClose });
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      size="small"
      actions={
        <>
          {known !== null && (
            <Button icon="trash" onPress={() => set(null)}>
              {words.remove}
            </Button>
          )}
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button variant="primary" isDisabled={label.trim() === ''} onPress={() => set(label)}>
            {words.save}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <ComboBox
          label={words.label}
          hint={words.labelHint}
          value={label}
          onChange={setLabel}
          options={words.proposals.map((text) => ({ id: text, label: text }))}
        />
        <TextArea label={words.note} rows={4} value={note} onChange={setNote} />
        {save.error !== null && <ErrorNote error={save.error} />}
      </div>
    </Dialog>
  );
}
