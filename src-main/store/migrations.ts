import type { Database } from 'better-sqlite3';
import { VivariumError } from '../lib/index.ts';
import { createRunTables } from './run-tables.ts';
import { searchTextOf } from './search-text.ts';

/** Brings the schema from version `index` to `index + 1`; runs inside one transaction. */
type Migration = (database: Database) => void;

/**
 * The record (`events`, `blobs`) is never rewritten; the triggers make that a property of the file
 * and not only of this code. `number` has no gaps: SQLite hands out max + 1 under the write lock,
 * and no row ever goes. `sessions` and `attempts` are derived and could be rebuilt from `events`.
 */
function createTables(database: Database): void {
  database.exec(`
    CREATE TABLE events (
      number INTEGER PRIMARY KEY,
      session_id TEXT NOT NULL,
      attempt_id TEXT,
      at INTEGER NOT NULL,
      type TEXT NOT NULL,
      body TEXT NOT NULL
    ) STRICT;
    CREATE INDEX events_by_session ON events (session_id, number);
    CREATE INDEX events_by_attempt ON events (attempt_id, number);
    CREATE TRIGGER events_no_update BEFORE UPDATE ON events
      BEGIN SELECT RAISE(ABORT, 'the record is append-only'); END;
    CREATE TRIGGER events_no_delete BEFORE DELETE ON events
      BEGIN SELECT RAISE(ABORT, 'the record is append-only'); END;

    CREATE TABLE blobs (
      sha256 TEXT PRIMARY KEY,
      encoding TEXT NOT NULL CHECK (encoding IN ('raw', 'deflate')),
      size INTEGER NOT NULL,
      content BLOB NOT NULL
    ) STRICT;
    CREATE TRIGGER blobs_no_update BEFORE UPDATE ON blobs
      BEGIN SELECT RAISE(ABORT, 'the record is append-only'); END;

    CREATE TABLE sessions (
      session_id TEXT PRIMARY KEY,
      created_number INTEGER NOT NULL UNIQUE,
      owner TEXT,
      title TEXT NOT NULL,
      repository TEXT NOT NULL,
      model TEXT NOT NULL,
      scaffold TEXT NOT NULL,
      state TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      steps INTEGER NOT NULL DEFAULT 0,
      files INTEGER NOT NULL DEFAULT 0,
      insertions INTEGER NOT NULL DEFAULT 0,
      deletions INTEGER NOT NULL DEFAULT 0,
      verified INTEGER
    ) STRICT;
    CREATE INDEX sessions_running ON sessions (state) WHERE state = 'running';

    CREATE TABLE attempts (
      attempt_id TEXT PRIMARY KEY,
      session_id TEXT NOT NULL REFERENCES sessions (session_id),
      number INTEGER NOT NULL,
      seed INTEGER NOT NULL,
      owner TEXT NOT NULL,
      exit_reason TEXT,
      steps INTEGER NOT NULL DEFAULT 0,
      files INTEGER NOT NULL DEFAULT 0,
      insertions INTEGER NOT NULL DEFAULT 0,
      deletions INTEGER NOT NULL DEFAULT 0,
      verified INTEGER
    ) STRICT;
    CREATE INDEX attempts_by_session ON attempts (session_id, number);
    CREATE INDEX attempts_open ON attempts (attempt_id) WHERE exit_reason IS NULL;
  `);
}

/**
 * Looks at model servers; no part of the record, so rows are updated and removed. `X_sum` and
 * `X_looks` make a mean; see `samples.ts`.
 */
function createServerSamples(database: Database): void {
  database.exec(`
    CREATE TABLE server_samples (
      resolution INTEGER NOT NULL,
      at INTEGER NOT NULL,
      server TEXT NOT NULL,
      last_at INTEGER NOT NULL,
      memory_sum REAL,
      memory_looks INTEGER NOT NULL,
      gpu_sum REAL,
      gpu_looks INTEGER NOT NULL,
      gpu_utilization_sum REAL,
      gpu_utilization_looks INTEGER NOT NULL,
      running_sum REAL,
      running_looks INTEGER NOT NULL,
      waiting_sum REAL,
      waiting_looks INTEGER NOT NULL,
      kv_used_sum REAL,
      kv_used_looks INTEGER NOT NULL,
      figures_looks INTEGER NOT NULL,
      prompt_total REAL,
      generated_total REAL,
      cache_queried_total REAL,
      cache_hit_total REAL,
      first_token_seconds_total REAL,
      first_token_total REAL,
      covered_ms REAL,
      prompt_tokens REAL,
      generated_tokens REAL,
      cache_queried_tokens REAL,
      cache_hit_tokens REAL,
      first_token_seconds REAL,
      first_tokens REAL,
      alert TEXT,
      PRIMARY KEY (resolution, at, server)
    ) STRICT, WITHOUT ROWID;
  `);
}

/**
 * What the app's list and screens need: a text to search and the event a session ended with (both
 * derived), what a person marked, and what they set or typed. The last two are no part of the record.
 * Sessions that ended before count as seen: `ended_number` stays empty.
 */
function createAppTables(database: Database): void {
  database.exec(`
    ALTER TABLE sessions ADD COLUMN ended_number INTEGER;
    ALTER TABLE sessions ADD COLUMN search TEXT NOT NULL DEFAULT '';
    CREATE INDEX sessions_by_state ON sessions (state, created_number);
    CREATE INDEX sessions_by_updated ON sessions (updated_at, created_number);
    CREATE INDEX sessions_by_title ON sessions (title COLLATE NOCASE, created_number);
    CREATE INDEX sessions_by_steps ON sessions (steps, created_number);
    CREATE INDEX sessions_by_repository ON sessions (repository, created_at);

    CREATE TABLE session_marks (
      session_id TEXT PRIMARY KEY,
      pinned INTEGER NOT NULL DEFAULT 0,
      archived INTEGER NOT NULL DEFAULT 0,
      seen_number INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX session_marks_pinned ON session_marks (session_id) WHERE pinned = 1;
    CREATE INDEX session_marks_archived ON session_marks (session_id) WHERE archived = 1;

    CREATE TABLE kept (
      area TEXT NOT NULL,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      updated_at INTEGER NOT NULL,
      PRIMARY KEY (area, key)
    ) STRICT, WITHOUT ROWID;
  `);
  interface Row {
    session_id: string;
    title: string;
    repository: string;
    model: string;
  }
  const rows = database.prepare<[], Row>(
    'SELECT session_id, title, repository, model FROM sessions',
  );
  const set = database.prepare('UPDATE sessions SET search = ? WHERE session_id = ?');
  for (const row of rows.all()) {
    set.run(searchTextOf([row.title, row.repository, row.model, row.session_id]), row.session_id);
  }
}

/** Only ever appended to. A new entry needs a golden database of the version before it. */
const MIGRATIONS: readonly Migration[] = [
  createTables,
  createServerSamples,
  createAppTables,
  createRunTables,
];

/** The version this build writes; kept in the file's `user_version`. */
export const STORE_VERSION = MIGRATIONS.length;

function versionOf(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}

/**
 * Brings an open database to {@link STORE_VERSION}, one transaction for each version.
 * The version is read again under the write lock, since another process may be doing the same.
 *
 * @throws VivariumError `store_failed` when the file was written by a newer build
 */
export function migrate(database: Database): void {
  refuseNewer(versionOf(database));
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (versionOf(database) > index) continue;
    const step = database.transaction(() => {
      const found = versionOf(database);
      refuseNewer(found);
      if (found > index) return;
      migration(database);
      database.pragma(`user_version = ${index + 1}`);
    });
    step.immediate();
  }
}

function refuseNewer(found: number): void {
  if (found <= STORE_VERSION) return;
  throw new VivariumError(
    'store_failed',
    `the session database is of version ${found}, newer than this Vivarium knows (${STORE_VERSION})`,
    'Use the newer Vivarium that wrote it, or set VIVARIUM_HOME to another folder.',
  );
}
