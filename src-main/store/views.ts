import type { Database } from 'better-sqlite3';
import type { ExitReason } from '../contract/index.ts';
import type { AttemptSummary, SessionState, SessionSummary, Store } from './types.ts';
import { theOne } from './the-one.ts';

/** A row of `sessions` as {@link SESSION_COLUMNS} reads it. */
export interface SessionRow {
  sessionId: string;
  title: string;
  repository: string;
  model: string;
  scaffold: string;
  state: SessionState;
  createdAt: number;
  updatedAt: number;
  attempts: number;
  steps: number;
  insertions: number;
  deletions: number;
  files: number;
  verified: number | null;
}

export const SESSION_COLUMNS = `
  sessions.session_id AS sessionId, title, repository, model, scaffold, state, created_at AS createdAt,
  updated_at AS updatedAt, steps, insertions, deletions, files, verified,
  (SELECT count(*) FROM attempts WHERE attempts.session_id = sessions.session_id) AS attempts`;

const SESSIONS = {
  code: 'session_not_found',
  one: 'session',
  list: '`vivarium sessions`',
} as const;

export interface Views {
  sessions: Store['sessions'];
  session(idOrPrefix: string): SessionSummary;
  attempts(sessionId: string): AttemptSummary[];
}

export function summaryOf(row: SessionRow): SessionSummary {
  return { ...row, verified: row.verified === null ? null : row.verified === 1 };
}

/** Read-only views over the derived rows. */
export function openViews(database: Database): Views {
  const list = database.prepare<[number, number], SessionRow>(
    `SELECT ${SESSION_COLUMNS} FROM sessions WHERE run_id IS NULL
     ORDER BY created_number DESC LIMIT ? OFFSET ?`,
  );
  const ofRun = database.prepare<[string, number, number], SessionRow>(
    `SELECT ${SESSION_COLUMNS} FROM sessions WHERE run_id = ?
     ORDER BY created_number DESC LIMIT ? OFFSET ?`,
  );
  // An exact id wins over ids it is a prefix of. As a range, the key finds them.
  const find = database.prepare<{ given: string }, SessionRow>(
    `SELECT ${SESSION_COLUMNS} FROM sessions
     WHERE session_id >= :given AND session_id < :given || char(1114111)
     ORDER BY session_id = :given DESC LIMIT 2`,
  );
  const attempts = database.prepare<[string], AttemptSummary & { exitReason: ExitReason | null }>(
    `SELECT attempt_id AS attemptId, session_id AS sessionId, number, seed, owner,
            exit_reason AS exitReason, steps
     FROM attempts WHERE session_id = ? ORDER BY number, rowid`,
  );
  return {
    // A negative LIMIT is none in SQLite.
    sessions: ({ limit = -1, offset = 0, run = null } = {}) =>
      (run === null ? list.all(limit, offset) : ofRun.all(run, limit, offset)).map(summaryOf),
    session(given) {
      const found = given === '' ? [] : find.all({ given });
      return summaryOf(theOne(found, ({ sessionId }) => sessionId, given, SESSIONS));
    },
    attempts: (sessionId) => attempts.all(sessionId),
  };
}
