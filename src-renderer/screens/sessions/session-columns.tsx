import type { SessionRow } from '../../../src-main/contract/index.ts';
import { Age, Changes, Count } from '../../components/figures.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import { Pill } from '../../components/pill.tsx';
import type { Column } from '../../components/list/virtual-grid.tsx';
import { StateMark } from '../../components/state-mark.tsx';
import { sessionsText } from '../../text/en/sessions.ts';
import { visibleLine } from '../../visible.ts';
import { baseName } from '../paths.ts';
import type { ListLine } from './arrange-rows.ts';
import styles from './sessions-screen.module.css';

export interface RowActions {
  pin: (row: SessionRow) => void;
  archive: (row: SessionRow) => void;
}

type Cell = Column<ListLine>;

/** How much room a row has. */
export type ListWidth = 'narrow' | 'usual' | 'wide';

/**
 * Columns of the list: on wide pages repository and model have columns of their own, on narrow ones the
 * title gets the room of what its session's page tells, too.
 */
export function sessionColumns(actions: RowActions, width: ListWidth): Cell[] {
  const all = [...factColumns(width === 'wide'), ...figureColumns(), actionColumn(actions)];
  return width === 'narrow' ? all.filter(({ id }) => !LEFT_OUT.has(id)) : all;
}

const LEFT_OUT = new Set(['verified', 'steps', 'actions']);

function factColumns(wide: boolean): Cell[] {
  const { columns } = sessionsText;
  const own = [
    cell('repository', columns.repository, '14rem', ({ repository }) => (
      <span title={visibleLine(repository)}>{visibleLine(baseName(repository))}</span>
    )),
    cell('model', columns.model, '16rem', (row) => (
      <span className={styles.soft}>{modelWords(row)}</span>
    )),
  ];
  return [
    cell('state', columns.state, '8.75rem', ({ state }) => (
      <StateMark kind="session" state={state} />
    )),
    cell('title', columns.title, 'minmax(0, 1fr)', (row) => <Title row={row} wide={wide} />),
    ...(wide ? own : []),
    cell('verified', columns.verified, '4.25rem', ({ verified }) => (
      <span className={verified === null ? styles.soft : undefined}>{verifiedWord(verified)}</span>
    )),
  ];
}

function figureColumns(): Cell[] {
  const { columns } = sessionsText;
  const steps = ({ steps, attempts }: SessionRow) => (
    <span title={sessionsText.steps(steps, attempts)}>
      <Count value={steps} />
    </span>
  );
  const changes = ({ files, insertions, deletions }: SessionRow) =>
    files === 0 ? (
      <span className={styles.soft}>{sessionsText.noChanges}</span>
    ) : (
      <Changes insertions={insertions} deletions={deletions} />
    );
  return [
    cell('steps', columns.steps, '3.25rem', steps, 'end'),
    cell('changes', columns.changes, '5.5rem', changes, 'end'),
    cell('age', columns.age, '5.5rem', ({ createdAt }) => <Age at={createdAt} />, 'end'),
  ];
}

function actionColumn(actions: RowActions): Cell {
  const { columns } = sessionsText;
  return cell('actions', columns.actions, '4rem', (row) => <Actions row={row} actions={actions} />);
}

function cell(
  id: string,
  header: string,
  width: string,
  render: (row: SessionRow) => React.ReactNode,
  align: 'start' | 'end' = 'start',
): Cell {
  return {
    id,
    header,
    width,
    align,
    render: (line) => {
      if (line.kind === 'row') return render(line.row);
      return id === 'title' ? <span className={styles.soft}>{sessionsText.rowLoading}</span> : null;
    },
  };
}

function Title({ row, wide }: { row: SessionRow; wide: boolean }) {
  const title = visibleLine(row.title);
  return (
    <div className={styles.title}>
      <span className={styles.titleLine}>
        <span className={row.unseen ? styles.unseen : 'cut'} title={title}>
          {title}
        </span>
        {row.unseen && <Pill tone="info">{sessionsText.unseen}</Pill>}
      </span>
      {!wide && (
        <span className={styles.under}>
          <span title={visibleLine(row.repository)}>{visibleLine(baseName(row.repository))}</span>
          <span className="cut">{modelWords(row)}</span>
        </span>
      )}
    </div>
  );
}

function Actions({ row, actions }: { row: SessionRow; actions: RowActions }) {
  const title = visibleLine(row.title);
  const { pinNamed, unpinNamed, archiveNamed, restoreNamed } = sessionsText;
  return (
    <span className={styles.actions} data-pinned={row.pinned || undefined}>
      <RowButton
        icon="pin"
        label={row.pinned ? unpinNamed(title) : pinNamed(title)}
        onPress={() => actions.pin(row)}
      />
      <RowButton
        icon="archive"
        label={row.archived ? restoreNamed(title) : archiveNamed(title)}
        onPress={() => actions.archive(row)}
      />
    </span>
  );
}

interface RowButtonProps {
  icon: IconName;
  label: string;
  onPress: () => void;
}

/** Light enough for each of many rows; the keyboard has keys of the list for the same. */
function RowButton({ icon, label, onPress }: RowButtonProps) {
  return (
    <button type="button" tabIndex={-1} aria-label={label} title={label} onClick={onPress}>
      <Icon name={icon} />
    </button>
  );
}

function modelWords({ model, scaffold }: SessionRow): string {
  return `${visibleLine(model)} · ${visibleLine(scaffold)}`;
}

function verifiedWord(verified: boolean | null): string {
  const { verifiedWords } = sessionsText;
  if (verified === null) return verifiedWords.none;
  return verified ? verifiedWords.yes : verifiedWords.no;
}
