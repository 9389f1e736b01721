import type { EventOf } from '../../../../src-main/contract/index.ts';
import { Changes } from '../../../components/figures.tsx';
import { DataTable } from '../../../components/list/data-table.tsx';
import { EmptyState } from '../../../components/notes.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { sessionText } from '../../../text/en/session.ts';
import { newestOf } from '../record/timeline.ts';
import { useRecordView, useSessionView } from '../session-view.ts';
import styles from './side.module.css';

type Patch = EventOf<'patch.made'>;
type LeftOut = Patch['leftOut'];

/** Files of the patch, and those that are not in it with the reason. */
export function FilesPanel() {
  const { events } = useRecordView();
  const { attempt, live } = useSessionView();
  const { files: words } = sessionText;
  const attemptId = attempt?.attemptId ?? null;
  const patch = newestOf(events, 'patch.made', attemptId);
  const notCarried = newestOf(events, 'snapshot.taken', attemptId)?.notCarried ?? [];
  const nothing = patch === null || patch.files.length === 0;
  return (
    <div className={styles.panel}>
      {nothing && (
        <EmptyState icon="file" title={words.none}>
          {live ? words.noneYet : words.noneWords}
        </EmptyState>
      )}
      {patch !== null && patch.files.length > 0 && <Changed files={patch.files} />}
      {patch !== null && patch.flags.length > 0 && <Flags flags={patch.flags} />}
      <Aside caption={words.leftOut} rows={patch?.leftOut ?? []} />
      <Aside caption={words.notCarried} rows={notCarried} />
    </div>
  );
}

function Changed({ files }: { files: Patch['files'] }) {
  const { files: words } = sessionText;
  return (
    <DataTable<Patch['files'][number]>
      caption={words.changed}
      rows={files}
      keyOf={({ path }) => path}
      columns={[
        { id: 'path', header: words.path, render: ({ path }) => <Path path={path} /> },
        { id: 'status', header: words.status, render: ({ status }) => words.statusWords[status] },
        {
          id: 'lines',
          header: words.lines,
          align: 'end',
          render: ({ insertions, deletions }) =>
            insertions === null ? (
              words.binary
            ) : (
              <Changes insertions={insertions} deletions={deletions} />
            ),
        },
      ]}
    />
  );
}

function Flags({ flags }: { flags: Patch['flags'] }) {
  const { files: words } = sessionText;
  return (
    <DataTable<Patch['flags'][number]>
      caption={words.flags}
      rows={flags}
      keyOf={({ kind, path, line, detail }) => `${kind} ${path} ${line} ${detail}`}
      columns={[
        {
          id: 'path',
          header: words.path,
          render: ({ path, line }) => (
            <Path path={line === null ? (path ?? words.whole) : `${path}:${line}`} />
          ),
        },
        { id: 'detail', header: words.flag, render: ({ detail }) => <VisibleText text={detail} /> },
      ]}
    />
  );
}

function Aside({ caption, rows }: { caption: string; rows: LeftOut }) {
  const { files: words } = sessionText;
  if (rows.length === 0) return null;
  return (
    <DataTable<LeftOut[number]>
      caption={caption}
      rows={rows}
      keyOf={({ path }) => path}
      columns={[
        { id: 'path', header: words.path, render: ({ path }) => <Path path={path} /> },
        {
          id: 'reason',
          header: words.reason,
          render: ({ reason }) => <VisibleText text={reason} />,
        },
      ]}
    />
  );
}

function Path({ path }: { path: string }) {
  return (
    <code className={styles.path}>
      <VisibleText text={path} />
    </code>
  );
}
