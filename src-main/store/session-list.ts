import type { Database } from 'better-sqlite3';
import { searchPatterns } from './search-text.ts';
import type { ListedSession, SessionListQuery, Store } from './types.ts';
import { SESSION_COLUMNS, summaryOf, type SessionRow } from './views.ts';

interface ListedRow extends SessionRow {
  pinned: number;
  archived: number;
  unseen: number;
}

const MARK_COLUMNS = `
  coalesce(pinned, 0) AS pinned, coalesce(archived, 0) AS archived,
  ended_number IS NOT NULL AND ended_number > coalesce(seen_number, 0) AS unseen`;

const JOINED = 'sessions LEFT JOIN session_marks AS marks USING (session_id)';

/** Each has an index that gives its order, so that a page costs the same in a long list. */
const ORDERS: Readonly<Record<SessionListQuery['sort'], string>> = {
  newest: 'created_number DESC',
  oldest: 'created_number',
  updated: 'updated_at DESC, created_number DESC',
  title: 'title COLLATE NOCASE, created_number',
  steps: 'steps DESC, created_number DESC',
};

const PINNED = 'session_id IN (SELECT session_id FROM session_marks WHERE pinned = 1)';
const ARCHIVED = 'session_id IN (SELECT session_id FROM session_marks WHERE archived = 1)';

interface Filter {
  sql: string;
  values: string[];
}

function filterOf({ text, states, repository, archived, run = null }: SessionListQuery): Filter {
  const parts = [
    run === null ? 'run_id IS NULL' : 'run_id = ?',
    archived ? ARCHIVED : `NOT ${ARCHIVED}`,
  ];
  const values: string[] = run === null ? [] : [run];
  if (states.length > 0) {
    parts.push(`state IN (${states.map(() => '?').join(', ')})`);
    values.push(...states);
  }
  if (repository !== null) {
    parts.push('repository = ?');
    values.push(repository);
  }
  for (const pattern of searchPatterns(text)) {
    parts.push("search LIKE ? ESCAPE '\\'");
    values.push(pattern);
  }
  return { sql: parts.join(' AND '), values };
}

/** The two queries of a page: pinned ones come first, whatever the order. Exported for its test. */
export function pageSql(query: SessionListQuery, pinned: boolean): Filter {
  const { sql, values } = filterOf(query);
  return {
    sql: `SELECT ${SESSION_COLUMNS}, ${MARK_COLUMNS} FROM ${JOINED}
          WHERE ${pinned ? '' : 'NOT '}${PINNED} AND ${sql}
          ORDER BY ${ORDERS[query.sort]} LIMIT ? OFFSET ?`,
    values,
  };
}

function listedOf({ pinned, archived, unseen, ...row }: ListedRow): ListedSession {
  return {
    ...summaryOf(row),
    ...{ pinned: pinned === 1, archived: archived === 1, unseen: unseen === 1 },
  };
}

type SessionLists = Pick<
  Store,
  'listSessions' | 'listedSession' | 'markSession' | 'recentRepositories'
>;

/** The app's list of sessions, with what a person marked. */
export function openSessionLists(database: Database): SessionLists {
  const one = database.prepare<[string], ListedRow>(
    `SELECT ${SESSION_COLUMNS}, ${MARK_COLUMNS} FROM ${JOINED} WHERE session_id = ?`,
  );
  const repositories = database.prepare<[number], { path: string; usedAt: number }>(
    `SELECT repository AS path, max(created_at) AS usedAt FROM sessions WHERE run_id IS NULL GROUP BY repository
     ORDER BY usedAt DESC LIMIT ?`,
  );
  const counts = stateCounter(database);
  return {
    listSessions: (query) => ({ ...pageOf(database, query), counts: counts() }),
    listedSession(sessionId) {
      const row = one.get(sessionId);
      return row === undefined ? undefined : listedOf(row);
    },
    markSession: marker(database),
    recentRepositories: (limit) => repositories.all(limit),
  };
}

function pageOf(
  database: Database,
  query: SessionListQuery,
): { rows: ListedSession[]; total: number } {
  const { offset, limit } = query;
  const filter = filterOf(query);
  const count = (more: string): number => {
    const sql = `SELECT count(*) AS count FROM sessions WHERE ${filter.sql}${more}`;
    return database.prepare<unknown[], { count: number }>(sql).get(...filter.values)?.count ?? 0;
  };
  const page = (pinned: boolean, most: number, from: number): ListedSession[] => {
    const { sql, values } = pageSql(query, pinned);
    return database
      .prepare<unknown[], ListedRow>(sql)
      .all(...values, most, from)
      .map(listedOf);
  };
  const pinnedTotal = count(` AND ${PINNED}`);
  const first = offset < pinnedTotal ? page(true, limit, offset) : [];
  const room = limit - first.length;
  const rest = room > 0 ? page(false, room, Math.max(0, offset - pinnedTotal)) : [];
  return { rows: [...first, ...rest], total: count('') };
}

/** Few are archived: all are counted by the index of states, and those taken off. */
function stateCounter(database: Database): () => Record<string, number> {
  interface Count {
    state: string;
    count: number;
  }
  const all = database.prepare<[], Count>(
    'SELECT state, count(*) AS count FROM sessions WHERE run_id IS NULL GROUP BY state',
  );
  const archived = database.prepare<[], Count>(
    `SELECT state, count(*) AS count FROM sessions WHERE run_id IS NULL AND ${ARCHIVED} GROUP BY state`,
  );
  return () => {
    const found = new Map(all.all().map(({ state, count }) => [state, count]));
    for (const { state, count } of archived.all())
      found.set(state, (found.get(state) ?? 0) - count);
    return Object.fromEntries([...found].filter(([, count]) => count > 0));
  };
}

function marker(database: Database): Store['markSession'] {
  const mark = database.prepare(`
    INSERT INTO session_marks (session_id, pinned, archived, seen_number)
    VALUES (:session, coalesce(:pinned, 0), coalesce(:archived, 0), coalesce(:seen, 0))
    ON CONFLICT (session_id) DO UPDATE SET
      pinned = coalesce(:pinned, pinned), archived = coalesce(:archived, archived),
      seen_number = max(seen_number, coalesce(:seen, 0))`);
  const flag = (value: boolean | undefined) => (value === undefined ? null : Number(value));
  return (session, { pinned, archived, seenNumber = null }) => {
    mark.run({ session, pinned: flag(pinned), archived: flag(archived), seen: seenNumber });
  };
}
