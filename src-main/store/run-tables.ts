import type { Database } from 'better-sqlite3';

/** `grading`, `suspicions` and `label` are JSON. */
const TABLES = `
  CREATE TABLE runs (
    run_id TEXT PRIMARY KEY,
    created_number INTEGER NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    finished_at INTEGER,
    tasks INTEGER NOT NULL,
    entries TEXT NOT NULL,
    seeds INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE run_cells (
    session_id TEXT PRIMARY KEY,
    run_id TEXT NOT NULL,
    task TEXT NOT NULL,
    entry INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    state TEXT NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    attempt_id TEXT,
    resolved INTEGER NOT NULL DEFAULT 0,
    reward REAL,
    exit_reason TEXT,
    detail TEXT,
    steps INTEGER NOT NULL DEFAULT 0,
    prompt_tokens INTEGER,
    completion_tokens INTEGER,
    cached_tokens INTEGER,
    model_seconds REAL NOT NULL DEFAULT 0,
    tools_seconds REAL NOT NULL DEFAULT 0,
    total_seconds REAL NOT NULL DEFAULT 0,
    grading_seconds REAL NOT NULL DEFAULT 0,
    peak_memory_bytes INTEGER,
    energy_joules REAL,
    patch_blob TEXT,
    patch_files INTEGER NOT NULL DEFAULT 0,
    insertions INTEGER NOT NULL DEFAULT 0,
    deletions INTEGER NOT NULL DEFAULT 0,
    grading TEXT,
    premature INTEGER NOT NULL DEFAULT 0,
    suspicions TEXT NOT NULL DEFAULT '[]',
    label TEXT,
    started_at INTEGER NOT NULL,
    finished_at INTEGER,
    UNIQUE (run_id, entry, task, seed)
  ) STRICT;
  CREATE INDEX run_cells_counts ON run_cells (run_id, state, resolved);
`;

const LISTS = `
  ALTER TABLE sessions ADD COLUMN run_id TEXT;
  CREATE INDEX sessions_of_run ON sessions (run_id, created_number) WHERE run_id IS NOT NULL;

  DROP INDEX sessions_by_state;
  DROP INDEX sessions_by_updated;
  DROP INDEX sessions_by_title;
  DROP INDEX sessions_by_steps;
  DROP INDEX sessions_by_repository;
  CREATE INDEX sessions_newest ON sessions (created_number) WHERE run_id IS NULL;
  CREATE INDEX sessions_by_state ON sessions (state, created_number) WHERE run_id IS NULL;
  CREATE INDEX sessions_by_updated ON sessions (updated_at, created_number) WHERE run_id IS NULL;
  CREATE INDEX sessions_by_title ON sessions (title COLLATE NOCASE, created_number)
    WHERE run_id IS NULL;
  CREATE INDEX sessions_by_steps ON sessions (steps, created_number) WHERE run_id IS NULL;
  CREATE INDEX sessions_by_repository ON sessions (repository, created_at) WHERE run_id IS NULL;
`;

/**
 * Runs and their cells, derived from the record like sessions: a report over thousands of cells reads
 * one table. Sessions of runs stay out of the lists of sessions: each order of those gets an index
 * without them, so that a page costs the same however many cells there are.
 */
export function createRunTables(database: Database): void {
  database.exec(TABLES);
  database.exec(LISTS);
}
