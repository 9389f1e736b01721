import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { EmptyState, ErrorNote, Loading } from '../../components/notes.tsx';
import { Page } from '../../components/page.tsx';
import { formatPlace } from '../../navigation.ts';
import { addModelText, modelsText } from '../../text/en/models.ts';
import { visibleLine } from '../../visible.ts';
import type { ModelsScreenProps } from '../props.ts';
import { useWide } from '../use-wide.ts';
import { AddModel, AddingNote } from './add-model.tsx';
import { isUp } from './figures.ts';
import { LibraryNav } from './library-nav.tsx';
import { LibraryTable } from './library-table.tsx';
import { ModelDetail } from './model-detail.tsx';
import styles from './models.module.css';
import { useModels } from './use-models.ts';

/** From here on the library stays in sight beside an open model. */
const WIDE_REM = 96;

export default function ModelsScreen({ name, tab }: ModelsScreenProps) {
  const models = useModels();
  const [adding, setAdding] = useState(false);
  const wide = useWide(WIDE_REM);
  const add = () => setAdding(true);
  const entry = models.entries.find(({ model }) => model.name === name);
  return (
    <>
      {models.isPending ? (
        <Loading>{modelsText.loading}</Loading>
      ) : name === null || models.error !== null ? (
        <Library models={models} onAdd={add} />
      ) : (
        <div className={styles.screen}>
          {wide && <LibraryNav entries={models.entries} name={name} onAdd={add} />}
          <div className={styles.detail}>
            {entry === undefined ? (
              <Gone name={name} />
            ) : (
              <ModelDetail key={name} entry={entry} tab={tab} />
            )}
          </div>
        </div>
      )}
      <AddModel isOpen={adding} onClose={() => setAdding(false)} />
    </>
  );
}

function Library(props: { models: ReturnType<typeof useModels>; onAdd: () => void }) {
  const { entries, error, retry } = props.models;
  const running = entries.filter(({ status }) => isUp(status)).length;
  const button = (
    <Button variant="primary" icon="plus" onPress={props.onAdd}>
      {addModelText.action}
    </Button>
  );
  const empty = entries.length === 0 && error === null;
  return (
    <Page
      title={modelsText.title}
      facts={
        <span className={styles.facts}>
          <span>{modelsText.count(entries.length)}</span>
          <span>{modelsText.running(running)}</span>
        </span>
      }
      actions={empty ? undefined : button}
    >
      <div className={styles.notices}>
        {error !== null && <ErrorNote error={error} onRetry={retry} />}
        <AddingNote onShow={props.onAdd} />
      </div>
      {empty ? (
        <EmptyState icon="models" title={modelsText.empty.title} action={button}>
          {modelsText.empty.words}
        </EmptyState>
      ) : (
        <LibraryTable entries={entries} />
      )}
    </Page>
  );
}

function Gone({ name }: { name: string }) {
  return (
    <Page title={modelsText.title}>
      <EmptyState
        icon="models"
        title={modelsText.gone.title(visibleLine(name))}
        action={<a href={formatPlace({ screen: 'models' })}>{modelsText.gone.back}</a>}
      >
        {modelsText.gone.words}
      </EmptyState>
    </Page>
  );
}
