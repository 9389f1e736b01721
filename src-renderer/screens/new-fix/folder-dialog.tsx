import { useState } from 'react';
import { useCall } from '../../api/hooks.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { VirtualGrid } from '../../components/list/virtual-grid.tsx';
import { ErrorNote, Loading } from '../../components/notes.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Checkbox } from '../../components/toggles.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { componentsText } from '../../text/en/components.ts';
import { newFixText } from '../../text/en/new-fix.ts';
import { visibleLine } from '../../visible.ts';
import type { FolderEntry } from '../../../src-main/contract/index.ts';
import { baseName } from '../paths.ts';
import styles from './new-fix.module.css';

export interface FolderDialogProps {
  /** Folder that is shown first; `null` = the home folder. */
  start: string | null;
  onChoose: (path: string) => void;
  onClose: () => void;
}

/** Folders of this machine, for shells without a picker of their own. */
export function FolderDialog({ start, onChoose, onClose }: FolderDialogProps) {
  const [path, setPath] = useState(start);
  const [hidden, setHidden] = useState(false);
  const [marked, setMarked] = useState<FolderEntry | null>(null);
  const { data, error, isPending } = useCall('folders/list', { path, hidden }, { keep: true });
  const { folders: words } = newFixText;
  const go = (next: string) => {
    setPath(next);
    setMarked(null);
  };
  const chosen = marked?.isRepository === true ? marked.path : (data?.path ?? null);
  return (
    <Dialog
      title={words.title}
      isOpen
      onClose={onClose}
      size="large"
      actions={
        <>
          <Checkbox isSelected={hidden} onChange={setHidden}>
            {words.hidden}
          </Checkbox>
          <span className={styles.grow} />
          <Button onPress={onClose}>{componentsText.cancel}</Button>
          <Button
            variant="primary"
            isDisabled={chosen === null}
            onPress={() => chosen !== null && onChoose(chosen)}
          >
            {chosen === null ? words.choose : words.chooseNamed(visibleLine(baseName(chosen)))}
          </Button>
        </>
      }
    >
      <div className={styles.browser}>
        <PathForm path={data?.path ?? path ?? ''} parent={data?.parent ?? null} onGo={go} />
        {error !== null && <ErrorNote error={error} />}
        {error === null && (
          <div className={styles.entries}>
            {isPending && <Loading>{words.loading}</Loading>}
            {data !== undefined && (
              <Entries
                entries={data.entries}
                onOpen={(entry) => go(entry.path)}
                onMark={setMarked}
              />
            )}
          </div>
        )}
      </div>
    </Dialog>
  );
}

interface PathFormProps {
  path: string;
  parent: string | null;
  onGo: (path: string) => void;
}

function PathForm({ path, parent, onGo }: PathFormProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const { folders: words } = newFixText;
  const go = (to: string) => {
    setTyped(null);
    onGo(to);
  };
  return (
    <form
      className={styles.bar}
      onSubmit={(event) => {
        event.preventDefault();
        go((typed ?? path).trim());
      }}
    >
      <IconButton
        icon="chevronLeft"
        label={words.up}
        isDisabled={parent === null}
        onPress={() => parent !== null && go(parent)}
      />
      <div className={styles.path}>
        <TextField
          {...{ code: true, hideLabel: true, label: words.path }}
          value={typed ?? path}
          onChange={setTyped}
        />
      </div>
      <Button type="submit" isDisabled={typed === null}>
        {words.go}
      </Button>
    </form>
  );
}

interface EntriesProps {
  entries: FolderEntry[];
  onOpen: (entry: FolderEntry) => void;
  onMark: (entry: FolderEntry | null) => void;
}

function Entries({ entries, onOpen, onMark }: EntriesProps) {
  const { folders: words } = newFixText;
  if (entries.length === 0) return <p className={styles.none}>{words.empty}</p>;
  return (
    <VirtualGrid
      label={words.list}
      items={entries}
      keyOf={({ path }) => path}
      rowRem={1.875}
      onOpen={onOpen}
      onMark={onMark}
      columns={[
        {
          id: 'name',
          header: words.path,
          width: 'minmax(0, 1fr)',
          render: ({ name, isRepository }) => (
            <span className={styles.entry} data-repository={isRepository || undefined}>
              <Icon name="folder" />
              <VisibleText text={name} />
            </span>
          ),
        },
        {
          id: 'kind',
          header: words.list,
          width: '8rem',
          render: ({ isRepository }) => (
            <span className={styles.soft}>{isRepository ? words.repository : words.folder}</span>
          ),
        },
      ]}
    />
  );
}
