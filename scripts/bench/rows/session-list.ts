import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { openStore } from '../../../src-main/store/index.ts';
import type { SessionListQuery, Store } from '../../../src-main/store/index.ts';
import { series, timed, type Row } from '../row.ts';

const SESSIONS = 10_000;
const RUNS = 30;
const REACH = { p95: 50, text: 'p95 < 50 ms' };

const ALL: SessionListQuery = {
  ...{ text: '', states: [], repository: null, archived: false, sort: 'newest' },
  ...{ offset: 0, limit: 200 },
};

const QUERIES: Readonly<Record<string, Partial<SessionListQuery>>> = {
  'first page': {},
  'last page': { offset: SESSIONS - 200 },
  'by title': { sort: 'title' },
  'two words': { text: 'total 999' },
  'words that nothing holds': { text: 'nowhere to be found' },
  'one state of one repository': { states: ['verified'], repository: '/srv/repository-7' },
};

/** Rows as the record would have made them: appending them one by one would take a minute. */
export function fillRecord(file: string, sessions = SESSIONS): void {
  openStore(file).close();
  const database = new Database(file);
  const states = ['verified', 'patched', 'not_verified', 'no_patch', 'failed', 'cancelled'];
  const session = database.prepare(`
    INSERT INTO sessions (session_id, created_number, title, repository, model, scaffold, state,
                          created_at, updated_at, steps, ended_number, search)
    VALUES (?, ?, ?, ?, 'frognano-4b', 'leaf', ?, ?, ?, ?, ?, ?)`);
  const attempt = database.prepare(
    "INSERT INTO attempts (attempt_id, session_id, number, seed, owner) VALUES (?, ?, 1, 1, 'x')",
  );
  const mark = database.prepare(
    'INSERT INTO session_marks (session_id, pinned, archived) VALUES (?, ?, ?)',
  );
  database.transaction(() => {
    for (let n = 1; n <= sessions; n += 1) {
      const id = `session${n}`;
      const title = `The total of order ${n} is wrong when the basket holds more than one item`;
      const repository = `/srv/repository-${n % 40}`;
      const state = states[n % states.length];
      const search = `${title}\n${repository}\nfrognano-4b\n${id}`.toLowerCase();
      session.run(id, n * 9, title, repository, state, n, n, n % 150, n * 9 + 8, search);
      attempt.run(`${id}.1`, id);
      if (n % 100 === 0) mark.run(id, Number(n % 1000 === 0), Number(n % 1000 !== 0));
    }
  })();
  database.close();
}

async function measureQuery(store: Store, query: Partial<SessionListQuery>): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < RUNS; n += 1) {
    times.push(await timed(async () => store.listSessions({ ...ALL, ...query })));
  }
  return times;
}

/** The list of the app over 10,000 sessions: rows, total, and counts. */
export async function measure(): Promise<Row[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vivarium-bench-'));
  try {
    const file = path.join(folder, 'record.sqlite');
    fillRecord(file);
    const store = openStore(file);
    const rows: Row[] = [];
    for (const [name, query] of Object.entries(QUERIES)) {
      const times = await measureQuery(store, query);
      rows.push(series(`list of 10,000 sessions, ${name}`, 'ms', times, REACH));
    }
    store.close();
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
