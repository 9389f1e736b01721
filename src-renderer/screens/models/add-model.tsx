import { useState } from 'react';
import type { AddProgress, ItemOf, OutputOf } from '../../../src-main/contract/index.ts';
import type { StreamState } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Banner, ErrorNote } from '../../components/notes.tsx';
import { Progress } from '../../components/progress.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Switch } from '../../components/toggles.tsx';
import { formatSizeOf } from '../../format.ts';
import { useServices } from '../../services.ts';
import { addModelText } from '../../text/en/models.ts';
import { visibleLine } from '../../visible.ts';
import { ONE, useJob } from '../jobs.ts';
import { PathField } from '../path-field/path-field.tsx';
import styles from './models.module.css';

/** Ties the button below the form to it, so that Enter in a field is the same. */
const FORM = 'add-a-model';

/** Asks for the files of a model and adds it; goes on when it is closed meanwhile. */
export function AddModel({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { job, start, stop } = useJob('models/add', ONE, ['models/list', 'environment/disk']);
  const [fields, setFields] = useState(NOTHING);
  const { copy } = fields;
  const path = fields.path.trim();
  const name = fields.name.trim();
  const running = job.state === 'running';
  const close = () => {
    if (!running) stop();
    onClose();
  };
  const add = () => {
    if (path !== '' && !running) start({ path, copy, ...(name === '' ? {} : { name }) });
  };
  const another = () => {
    setFields(NOTHING);
    close();
  };
  return (
    <Dialog
      title={addModelText.title}
      isOpen={isOpen}
      onClose={close}
      actions={<Actions {...{ job, close: another, stop }} hide={close} isReady={path !== ''} />}
    >
      <div className={styles.stack}>
        <Fields fields={fields} onChange={setFields} onSubmit={add} isDisabled={running} />
        <Outcome job={job} />
      </div>
    </Dialog>
  );
}

interface Wanted {
  path: string;
  name: string;
  copy: boolean;
}

const NOTHING: Wanted = { path: '', name: '', copy: false };

function Fields(props: {
  fields: Wanted;
  onChange: (fields: Wanted) => void;
  onSubmit: () => void;
  isDisabled: boolean;
}) {
  const { fields, onChange, isDisabled } = props;
  return (
    <form
      id={FORM}
      className={styles.stack}
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
    >
      <PathField
        label={addModelText.path}
        hint={addModelText.pathHint}
        placeholder={addModelText.pathPlaceholder}
        value={fields.path}
        onChange={(path) => onChange({ ...fields, path })}
        pick={PICK}
        isDisabled={isDisabled}
      />
      <TextField
        label={addModelText.name}
        hint={addModelText.nameHint}
        value={fields.name}
        onChange={(name) => onChange({ ...fields, name })}
        isDisabled={isDisabled}
      />
      <div>
        <Switch
          isSelected={fields.copy}
          onChange={(copy) => onChange({ ...fields, copy })}
          isDisabled={isDisabled}
        >
          {addModelText.copy}
        </Switch>
        <p className={styles.soft}>{fields.copy ? addModelText.copied : addModelText.copyHint}</p>
      </div>
    </form>
  );
}

const PICK = { folders: true, extensions: ['gguf'] };

type AddJob = StreamState<'models/add'>;

function Actions(props: {
  job: AddJob;
  close: () => void;
  hide: () => void;
  stop: () => void;
  isReady: boolean;
}) {
  const { navigate } = useServices();
  const { job } = props;
  if (job.state === 'done') {
    const { name } = job.output;
    const open = () => {
      props.close();
      navigate({ screen: 'model', name });
    };
    return (
      <>
        <Button onPress={props.close}>{addModelText.close}</Button>
        <Button variant="primary" onPress={open}>
          {addModelText.open(visibleLine(name))}
        </Button>
      </>
    );
  }
  if (job.state === 'running') {
    return (
      <>
        <Button onPress={props.hide}>{addModelText.close}</Button>
        <Button onPress={props.stop}>{addModelText.stop}</Button>
      </>
    );
  }
  return (
    <>
      <Button onPress={props.hide}>{addModelText.close}</Button>
      <Button variant="primary" type="submit" form={FORM} isDisabled={!props.isReady}>
        {addModelText.confirm}
      </Button>
    </>
  );
}

function Outcome({ job }: { job: AddJob }) {
  switch (job.state) {
    case 'idle':
      return null;
    case 'running':
      return (
        <div className={styles.stack}>
          <AddProgress item={job.last} />
          <p className={styles.soft}>{addModelText.keepsGoing}</p>
        </div>
      );
    case 'failed':
      return <ErrorNote error={job.error} />;
    case 'done':
      return <Done model={job.output} />;
  }
}

function Done({ model }: { model: OutputOf<'models/add'> }) {
  return <Banner tone="info">{addModelText.done(visibleLine(model.name))}</Banner>;
}

/** What is read, copied or hashed, and how far. */
export function AddProgress({ item }: { item: ItemOf<'models/add'> | null }) {
  if (item === null) return <Progress words={addModelText.begins} share={null} />;
  return <Progress words={phaseWords(item)} share={shareOf(item)} figures={figuresOf(item)} />;
}

function phaseWords({ phase, file }: AddProgress): string {
  return addModelText.phases[phase](visibleLine(file));
}

export function shareOf({ doneBytes, totalBytes }: AddProgress): number | null {
  return totalBytes > 0 ? doneBytes / totalBytes : null;
}

export function figuresOf({ doneBytes, totalBytes }: AddProgress): string {
  return formatSizeOf(doneBytes, totalBytes);
}

/** Says in the library that a model is being added, with the dialog closed. */
export function AddingNote({ onShow }: { onShow: () => void }) {
  const { job } = useJob('models/add', ONE);
  if (job.state !== 'running') return null;
  return (
    <Banner
      tone="info"
      action={
        <Button small onPress={onShow}>
          {addModelText.show}
        </Button>
      }
    >
      <p>{addModelText.running}</p>
      <AddProgress item={job.last} />
    </Banner>
  );
}
