import { useState } from 'react';
import { useAction } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/notes.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { sessionPlace } from '../../navigation.ts';
import { useServices } from '../../services.ts';
import { componentsText } from '../../text/en/components.ts';
import { sessionText } from '../../text/en/session.ts';
import { ModelField, ScaffoldField } from '../new-fix/model-fields.tsx';
import styles from './session-screen.module.css';
import { useSessionView } from './session-view.ts';

/** The same task once more, with another seed, model or scaffold. */
export function AgainDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { navigate } = useServices();
  const { got, attempt } = useSessionView();
  const { again: words } = sessionText;
  const seeds = got.result.attempts.map(({ seed }) => seed);
  const [seed, setSeed] = useState<number | null>(Math.max(0, ...seeds) + 1);
  const [model, setModel] = useState('');
  const [scaffold, setScaffold] = useState('');
  const again = useAction('sessions/again', ['sessions/list']);
  const session = got.row.sessionId;
  const start = () =>
    again.mutate(
      { session, changes: changesOf(seed, model.trim(), scaffold.trim()) },
      {
        onSuccess: (started) => {
          onClose();
          navigate(sessionPlace(started.session));
        },
      },
    );
  return (
    <Dialog
      title={words.title}
      isOpen={isOpen}
      onClose={onClose}
      size="small"
      actions={
        <>
          <Button onPress={onClose}>{componentsText.cancel}</Button>
          <Button
            variant="primary"
            icon="play"
            onPress={start}
            busy={again.isPending ? words.starting : null}
          >
            {words.start}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <p className={styles.soft}>{words.words}</p>
        <NumberField
          label={words.seed}
          hint={words.seedHint}
          value={seed}
          onChange={setSeed}
          minValue={0}
          placeholder={String(attempt?.seed ?? 0)}
        />
        <ModelField value={model} onChange={setModel} placeholder={words.same} />
        <ScaffoldField value={scaffold} onChange={setScaffold} placeholder={words.same} />
        {again.error !== null && <ErrorNote error={again.error} />}
      </div>
    </Dialog>
  );
}

/** What is left empty stays as it was. */
function changesOf(seed: number | null, model: string, scaffold: string) {
  return {
    ...(seed !== null && { seed }),
    ...(model !== '' && { model }),
    ...(scaffold !== '' && { scaffold }),
  };
}
