import { useState } from 'react';
import { useAction } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Banner, ErrorNote } from '../../components/notes.tsx';
import { Progress } from '../../components/progress.tsx';
import { environmentText } from '../../text/en/environment.ts';
import { visibleLine } from '../../visible.ts';
import { PathField } from '../path-field/path-field.tsx';
import styles from './environment.module.css';

const text = environmentText.import;
const PICK = { folders: false, extensions: ['tar', 'tar.gz', 'tgz'] };

/** Loads an archive that `docker save` made. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const load = useAction('environment/importImage', [
    ...(['environment/images', 'environment/doctor', 'environment/disk'] as const),
  ]);
  const [file, setFile] = useState('');
  const path = file.trim();
  const run = () => {
    if (path !== '' && !load.isPending) load.mutate({ file: path });
  };
  return (
    <Dialog
      isOpen
      title={text.title}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{text.close}</Button>
          <Button
            variant="primary"
            isDisabled={path === ''}
            busy={load.isPending ? text.busy : null}
            onPress={run}
          >
            {text.start}
          </Button>
        </>
      }
    >
      <form
        className={styles.stack}
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <PathField
          label={text.file}
          hint={text.hint}
          placeholder={text.placeholder}
          value={file}
          onChange={setFile}
          pick={PICK}
          isDisabled={load.isPending}
        />
        {load.isPending && <Progress words={text.busy} share={null} />}
        {load.error !== null && <ErrorNote error={load.error} />}
        {load.data !== undefined && (
          <Banner tone="info">
            {load.data.length === 0 ? text.none : text.done(visibleLine(load.data.join(', ')))}
          </Banner>
        )}
      </form>
    </Dialog>
  );
}
