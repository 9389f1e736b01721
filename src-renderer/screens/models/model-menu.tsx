import { useState } from 'react';
import type { LibraryModel } from '../../../src-main/contract/index.ts';
import { useAction } from '../../api/hooks.ts';
import { IconButton } from '../../components/button.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog, Dialog } from '../../components/dialog.tsx';
import { Menu } from '../../components/menu.tsx';
import { ErrorNote } from '../../components/notes.tsx';
import { TextField } from '../../components/text-field.tsx';
import { componentsText } from '../../text/en/components.ts';
import { formatSize } from '../../format.ts';
import { useNotices, useServices } from '../../services.ts';
import { modelsText } from '../../text/en/models.ts';
import { visibleLine } from '../../visible.ts';
import { fileBytes } from './figures.ts';
import styles from './models.module.css';

/** Rename and remove, behind a button. */
export function ModelMenu({ model }: { model: LibraryModel }) {
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Menu
        label={modelsText.more}
        trigger={<IconButton icon="more" label={modelsText.more} variant="normal" />}
        entries={[
          {
            id: 'rename',
            label: modelsText.rename.action,
            icon: 'edit',
            onAction: () => setOpen('rename'),
          },
          'separator',
          {
            id: 'remove',
            label: modelsText.remove.action,
            icon: 'trash',
            danger: true,
            onAction: () => setOpen('remove'),
          },
        ]}
      />
      {open === 'rename' && <RenameDialog model={model} onClose={close} />}
      {open === 'remove' && <RemoveDialog model={model} onClose={close} />}
    </>
  );
}

function RenameDialog({ model, onClose }: { model: LibraryModel; onClose: () => void }) {
  const { navigate } = useServices();
  const notices = useNotices();
  const rename = useAction('models/rename', ['models/list']);
  const [to, setTo] = useState(model.name);
  const name = to.trim();
  const run = () => {
    rename.mutate(
      { name: model.name, to: name },
      {
        onSuccess: () => {
          const text = modelsText.rename.done(visibleLine(model.name), visibleLine(name));
          notices.tell({ tone: 'ok', text });
          onClose();
          navigate({ screen: 'model', name }, { replace: true });
        },
      },
    );
  };
  return (
    <Dialog
      isOpen
      size="small"
      onClose={onClose}
      title={modelsText.rename.title(visibleLine(model.name))}
      actions={
        <>
          <Button onPress={onClose}>{componentsText.cancel}</Button>
          <Button
            variant="primary"
            onPress={run}
            isDisabled={name === '' || name === model.name}
            busy={rename.isPending ? modelsText.rename.busy : null}
          >
            {modelsText.rename.confirm}
          </Button>
        </>
      }
    >
      <form
        className={styles.stack}
        onSubmit={(event) => {
          event.preventDefault();
          if (name !== '' && name !== model.name) run();
        }}
      >
        <TextField
          label={modelsText.rename.label}
          hint={modelsText.rename.hint}
          value={to}
          onChange={setTo}
        />
        {rename.error !== null && <ErrorNote error={rename.error} />}
      </form>
    </Dialog>
  );
}

function RemoveDialog({ model, onClose }: { model: LibraryModel; onClose: () => void }) {
  const { navigate } = useServices();
  const notices = useNotices();
  const remove = useAction('models/remove', ['models/list', 'environment/disk']);
  const name = visibleLine(model.name);
  const run = () => {
    remove.mutate(
      { name: model.name },
      {
        onSuccess: ({ deletedBytes }) => {
          const text = model.copied
            ? modelsText.remove.done(name, formatSize(deletedBytes))
            : modelsText.remove.doneInPlace(name);
          notices.tell({ tone: 'ok', text });
          onClose();
          navigate({ screen: 'models' }, { replace: true });
        },
      },
    );
  };
  return (
    <ConfirmDialog
      isOpen
      danger
      title={modelsText.remove.title(name)}
      confirm={model.copied ? modelsText.remove.confirmCopied : modelsText.remove.confirm}
      busy={remove.isPending ? modelsText.remove.busy : null}
      onConfirm={run}
      onClose={onClose}
    >
      <div className={styles.stack}>
        <p>
          {model.copied
            ? modelsText.remove.copied(formatSize(fileBytes(model)))
            : modelsText.remove.inPlace(visibleLine(model.folder))}
        </p>
        {remove.error !== null && <ErrorNote error={remove.error} />}
      </div>
    </ConfirmDialog>
  );
}
