import { useEffect, useMemo, useRef, useState } from 'react';
import type { SessionRow } from '../../../src-main/contract/index.ts';
import { useAction } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { useNow } from '../../components/figures.tsx';
import { VirtualGrid } from '../../components/list/virtual-grid.tsx';
import { EmptyState, ErrorNote, Loading } from '../../components/notes.tsx';
import { Page } from '../../components/page.tsx';
import { sessionPlace } from '../../navigation.ts';
import { useServices } from '../../services.ts';
import { useActionKey, useKeysOf } from '../../shortcuts/use-action-key.ts';
import { sessionsText } from '../../text/en/sessions.ts';
import { visibleLine } from '../../visible.ts';
import { useDebounced } from '../use-debounced.ts';
import { useWide } from '../use-wide.ts';
import { arrangeRows, type ListLine } from './arrange-rows.ts';
import { FilterBar, isFiltered, NO_FILTER } from './filter-bar.tsx';
import { type ListWidth, type RowActions, sessionColumns } from './session-columns.tsx';
import styles from './sessions-screen.module.css';
import { type ListQuery, useRunning, useSessionPages } from './use-session-pages.ts';

const SEARCH_MS = 150;
const MINUTE_MS = 60_000;
/** From here on, each row has room for one line with all its facts. */
const WIDE_REM = 96;
/** Below this, the title would have none: half a screen, or zoomed in. */
const USUAL_REM = 56;

/** What was looked for, so that the way back from a session leads to the same list; while the page lives. */
const remembered: { query: ListQuery } = { query: NO_FILTER };

export default function SessionsScreen() {
  const { navigate } = useServices();
  const [query, setQuery] = useState(remembered.query);
  const search = useRef<HTMLInputElement>(null);
  const asked = useDebounced(query, SEARCH_MS);
  const pages = useSessionPages(asked);
  const newFix = () => navigate({ screen: 'new', repository: null });
  useEffect(() => {
    remembered.query = query;
  }, [query]);
  useActionKey('search.focus', () => search.current?.focus());
  const { first } = pages;
  const isEmpty = first?.total === 0 && !isFiltered(asked);
  return (
    <Page
      title={sessionsText.title}
      facts={first !== undefined && !isEmpty && <Facts total={first.total} counts={first.counts} />}
      actions={
        <Button variant="primary" icon="plus" keys={useKeysOf('fix.new')} onPress={newFix}>
          {sessionsText.newFix}
        </Button>
      }
    >
      {isEmpty && Object.keys(first.counts).length === 0 ? (
        <EmptyState
          icon="sessions"
          title={sessionsText.empty.title}
          action={
            <Button variant="primary" icon="plus" onPress={newFix}>
              {sessionsText.empty.action}
            </Button>
          }
        >
          {sessionsText.empty.words}
        </EmptyState>
      ) : (
        <>
          <FilterBar query={query} onChange={setQuery} known={first} searchRef={search} />
          <List pages={pages} query={asked} />
        </>
      )}
    </Page>
  );
}

function Facts({ total, counts }: { total: number; counts: Record<string, number> }) {
  const running = counts['running'] ?? 0;
  return (
    <span className={styles.facts}>
      <span>{sessionsText.total(total)}</span>
      {running > 0 && <span>{sessionsText.running(running)}</span>}
    </span>
  );
}

function List({ pages, query }: { pages: ReturnType<typeof useSessionPages>; query: ListQuery }) {
  const { navigate } = useServices();
  const { rows } = pages;
  const running = useRunning(query);
  const now = useNow(MINUTE_MS);
  const width = useListWidth();
  const [marked, setMarked] = useState<SessionRow | null>(null);
  const actions = useRowActions();
  const columns = useMemo(() => sessionColumns(actions, width), [actions, width]);
  const lines = useMemo(
    () => arrangeRows({ rows: rows ?? [], running, sort: query.sort, now }),
    [rows, running, query.sort, now],
  );
  const current = () =>
    lines.flatMap(rowOf).find(({ sessionId }) => sessionId === marked?.sessionId);
  const withCurrent = (act: (row: SessionRow) => void) => () => {
    const row = current();
    if (row !== undefined) act(row);
  };
  useActionKey('session.pin', withCurrent(actions.pin), marked !== null);
  useActionKey('session.archive', withCurrent(actions.archive), marked !== null);
  if (rows === null) {
    if (pages.error !== null) return <ErrorNote error={pages.error} onRetry={pages.retry} />;
    return <Loading>{sessionsText.loading}</Loading>;
  }
  if (rows.length === 0) return <Nothing archived={query.archived} />;
  return (
    <VirtualGrid
      // Another question begins at its first row.
      key={JSON.stringify(query)}
      label={sessionsText.list}
      showHeader
      items={lines}
      keyOf={keyOf}
      headingOf={headingOf}
      columns={columns}
      rowRem={width === 'wide' ? 2.125 : 2.875}
      onRange={pages.look}
      onMark={(line) => setMarked(line?.kind === 'row' ? line.row : null)}
      onOpen={(line) => {
        if (line.kind === 'row') navigate(sessionPlace(line.row.sessionId));
      }}
    />
  );
}

function useListWidth(): ListWidth {
  const wide = useWide(WIDE_REM);
  const usual = useWide(USUAL_REM);
  if (wide) return 'wide';
  return usual ? 'usual' : 'narrow';
}

function Nothing({ archived }: { archived: boolean }) {
  const { title, words } = archived ? sessionsText.noArchived : sessionsText.nothing;
  return (
    <EmptyState icon={archived ? 'archive' : 'search'} title={title}>
      {words}
    </EmptyState>
  );
}

function useRowActions(): RowActions {
  const { notices } = useServices();
  const { mutate } = useAction('sessions/mark', ['sessions/list', 'sessions/get']);
  return useMemo(() => {
    const setArchived = (row: SessionRow, archived: boolean) => {
      const title = visibleLine(row.title);
      const onSuccess = () =>
        notices.tell({
          tone: 'ok',
          text: archived ? sessionsText.archived(title) : sessionsText.restored(title),
          action: { label: sessionsText.undo, run: () => setArchived(row, !archived) },
        });
      mutate({ session: row.sessionId, archived }, { onSuccess });
    };
    return {
      pin: (row) => mutate({ session: row.sessionId, pinned: !row.pinned }),
      archive: (row) => setArchived(row, !row.archived),
    };
  }, [mutate, notices]);
}

function keyOf(line: ListLine): string {
  if (line.kind === 'row') return line.row.sessionId;
  return line.kind === 'gap' ? `gap ${line.index}` : `group ${line.group}`;
}

function headingOf(line: ListLine): string | null {
  return line.kind === 'group' ? sessionsText.groups[line.group] : null;
}

function rowOf(line: ListLine): SessionRow[] {
  return line.kind === 'row' ? [line.row] : [];
}
