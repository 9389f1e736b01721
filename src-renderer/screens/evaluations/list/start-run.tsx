import { useState } from 'react';
import { useAction, useCall } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { ErrorNote } from '../../../components/notes.tsx';
import { NumberField } from '../../../components/number-field.tsx';
import { ComboBox } from '../../../components/select.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { useServices } from '../../../services.ts';
import { evaluationsText } from '../../../text/en/evaluations.ts';
import { PathField } from '../../path-field/path-field.tsx';
import { ScaffoldField } from '../../new-fix/model-fields.tsx';
import styles from '../evaluations.module.css';

const FOLDER = { extensions: [], folders: true };
const SEEDS = 3;

const EMPTY = { tasks: '', model: '', scaffold: '', name: '' };
const COUNTS: Record<'seeds' | 'workers' | 'limit', number | null> = {
  seeds: SEEDS,
  workers: null,
  limit: null,
};

/** Asks for what a run needs; all else comes from preset, profile and scaffold. */
export function StartRun({ onClose }: { onClose: () => void }) {
  const { start: words } = evaluationsText;
  const { navigate } = useServices();
  const start = useAction('evaluation/start', ['evaluation/runs']);
  const [texts, setTexts] = useState(EMPTY);
  const [counts, setCounts] = useState(COUNTS);
  const input = inputOf(texts, counts);
  const go = () =>
    start.mutate(input, {
      onSuccess: ({ run }) => navigate({ screen: 'evaluation', run, tab: 'matrix' }),
    });
  return (
    <Dialog
      title={words.title}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button
            variant="primary"
            isDisabled={input.tasks === '' || input.models.length === 0}
            busy={start.isPending ? words.starting : null}
            onPress={go}
          >
            {words.go}
          </Button>
        </>
      }
    >
      <Fields
        {...{ texts, counts }}
        onText={(part) => setTexts({ ...texts, ...part })}
        onCount={(part) => setCounts({ ...counts, ...part })}
      />
      {start.error !== null && <ErrorNote error={start.error} />}
    </Dialog>
  );
}

interface FieldsProps {
  texts: typeof EMPTY;
  counts: typeof COUNTS;
  onText: (part: Partial<typeof EMPTY>) => void;
  onCount: (part: Partial<typeof COUNTS>) => void;
}

function Fields({ texts, counts, onText, onCount }: FieldsProps) {
  const { start: words } = evaluationsText;
  const models = useCall('models/list', {});
  const hints = { seeds: words.seedsHint, workers: undefined, limit: words.limitHint };
  return (
    <div className={styles.form}>
      <PathField
        label={words.tasks}
        hint={words.tasksHint}
        value={texts.tasks}
        onChange={(tasks) => onText({ tasks })}
        pick={FOLDER}
      />
      <ComboBox
        label={words.model}
        hint={words.modelHint}
        value={texts.model}
        onChange={(model) => onText({ model })}
        options={(models.data ?? []).map(({ model }) => ({ id: model.name, label: model.name }))}
      />
      <ScaffoldField
        value={texts.scaffold}
        onChange={(scaffold) => onText({ scaffold })}
        placeholder={words.scaffoldHint}
      />
      <div className={styles.row}>
        {(['seeds', 'workers', 'limit'] as const).map((name) => (
          <NumberField
            key={name}
            label={words[name]}
            hint={hints[name]}
            value={counts[name]}
            minValue={1}
            onChange={(value) => onCount({ [name]: value })}
          />
        ))}
      </div>
      <TextField label={words.name} value={texts.name} onChange={(name) => onText({ name })} />
    </div>
  );
}

function inputOf({ tasks, model, scaffold, name }: typeof EMPTY, counts: typeof COUNTS) {
  const { seeds, workers, limit } = counts;
  return {
    ...{ tasks: tasks.trim(), models: listOf(model), scaffolds: listOf(scaffold) },
    ...(seeds === null ? {} : { seeds }),
    ...(workers === null ? {} : { workers }),
    ...(limit === null ? {} : { limit }),
    ...(name.trim() === '' ? {} : { name: name.trim() }),
  };
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
