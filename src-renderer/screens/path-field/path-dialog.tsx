import { useState } from 'react';
import { useCall } from '../../api/hooks.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { type Column, VirtualGrid } from '../../components/list/virtual-grid.tsx';
import { ErrorNote, Loading } from '../../components/notes.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Checkbox } from '../../components/toggles.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { formatSize } from '../../format.ts';
import { pathFieldText } from '../../text/en/path-field.ts';
import type { Pick } from './pick.ts';
import styles from './path-field.module.css';

export interface PathDialogProps {
  pick: Pick;
  /** Where it begins: a folder, a file in one, or empty for the home folder. */
  from: string;
  onPick: (path: string) => void;
  onClose: () => void;
}

interface Line {
  name: string;
  path: string;
  /** `null` = a folder. */
  bytes: number | null;
}

/** A picker of the core's folders, for shells that have none of their own. */
export function PathDialog({ pick, from, onPick, onClose }: PathDialogProps) {
  const [at, setAt] = useState<string | null>(startOf(from));
  const [hidden, setHidden] = useState(false);
  const { data, error, isPending } = useCall(
    'folders/list',
    { path: at, hidden, extensions: pick.extensions },
    { keep: true },
  );
  const lines: Line[] = [
    ...(data?.entries ?? []).map(({ name, path }) => ({ name, path, bytes: null })),
    ...(data?.files ?? []),
  ];
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="large"
      title={titleOf(pick)}
      actions={
        <>
          <Checkbox isSelected={hidden} onChange={setHidden}>
            {pathFieldText.hidden}
          </Checkbox>
          <span className={styles.grow} />
          {pick.folders && (
            <Button
              variant="primary"
              isDisabled={data === undefined || error !== null}
              onPress={() => data !== undefined && onPick(data.path)}
            >
              {pathFieldText.take}
            </Button>
          )}
        </>
      }
    >
      <Bar at={data?.path ?? at ?? ''} parent={data?.parent ?? null} onGo={setAt} />
      {error !== null && <ErrorNote error={error} />}
      {error === null && (
        <Contents
          {...{ lines, isPending }}
          at={data?.path ?? ''}
          onFolder={setAt}
          onFile={onPick}
        />
      )}
    </Dialog>
  );
}

function Contents(props: {
  lines: Line[];
  isPending: boolean;
  at: string;
  onFolder: (path: string) => void;
  onFile: (path: string) => void;
}) {
  const { lines, isPending, at } = props;
  return (
    <div className={styles.list}>
      {isPending ? (
        <Loading>{pathFieldText.loading}</Loading>
      ) : lines.length === 0 ? (
        <p className={styles.empty}>{pathFieldText.empty}</p>
      ) : (
        <VirtualGrid
          key={at}
          label={pathFieldText.contents}
          items={lines}
          keyOf={({ path }) => path}
          columns={COLUMNS}
          rowRem={1.75}
          onOpen={({ path, bytes }) => (bytes === null ? props.onFolder(path) : props.onFile(path))}
        />
      )}
    </div>
  );
}

/** Where it is: shown, typed, and one up. */
function Bar(props: { at: string; parent: string | null; onGo: (path: string) => void }) {
  const { at, parent, onGo } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const go = (path: string | null) => {
    setTyped(null);
    if (path !== null) onGo(path);
  };
  return (
    <form
      className={styles.bar}
      onSubmit={(event) => {
        event.preventDefault();
        go(typed);
      }}
    >
      <IconButton
        icon="chevronLeft"
        label={pathFieldText.up}
        isDisabled={parent === null}
        onPress={() => go(parent)}
      />
      <div className={styles.input}>
        <TextField
          code
          hideLabel
          label={pathFieldText.at}
          value={typed ?? at}
          onChange={setTyped}
        />
      </div>
      <Button type="submit" isDisabled={typed === null}>
        {pathFieldText.go}
      </Button>
    </form>
  );
}

const COLUMNS: Array<Column<Line>> = [
  {
    id: 'name',
    header: pathFieldText.name,
    width: 'minmax(0, 1fr)',
    render: ({ name, bytes }) => (
      <span className={styles.entry}>
        <Icon name={bytes === null ? 'folder' : 'file'} />
        <VisibleText text={name} />
      </span>
    ),
  },
  {
    id: 'size',
    header: pathFieldText.size,
    width: '6rem',
    align: 'end',
    render: ({ bytes }) => (bytes === null ? null : formatSize(bytes)),
  },
];

function titleOf({ folders, extensions }: Pick): string {
  if (extensions.length === 0) return pathFieldText.folder;
  return folders ? pathFieldText.either : pathFieldText.file;
}

/** The folder of what was typed so far; the last part may be a file or half a name. */
export function startOf(typed: string): string | null {
  const path = typed.trim();
  if (path === '') return null;
  if (path.endsWith('/') || path.endsWith('\\')) return path;
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  if (cut < 0) return null;
  return cut === 0 ? '/' : path.slice(0, cut);
}
