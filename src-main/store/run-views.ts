import type { Database } from 'better-sqlite3';
import type { RunSummary } from '../contract/index.ts';
import type { Store, StoredCell } from './types.ts';
import { theOne } from './the-one.ts';

interface RunRow extends Omit<RunSummary, 'entries' | 'cells'> {
  entries: string;
  graded: number;
  resolved: number;
  infra: number;
  running: number;
}

const RUN_COLUMNS = `
  runs.run_id AS runId, name, runs.state AS state, created_at AS createdAt,
  runs.finished_at AS finishedAt, tasks, entries, seeds,
  total(cells.state = 'graded') AS graded, total(cells.state = 'graded' AND cells.resolved) AS resolved,
  total(cells.state = 'infra') AS infra, total(cells.state = 'running') AS running`;

const JOINED = 'runs LEFT JOIN run_cells AS cells USING (run_id)';

function summaryOf({ graded, resolved, infra, running, ...row }: RunRow): RunSummary {
  // Written by `projectRun` alone.
  const entries = JSON.parse(row.entries) as string[];
  const total = row.tasks * entries.length * row.seeds;
  return { ...row, entries, cells: { total, graded, resolved, infra, running } };
}

interface CellRow {
  runId: string;
  sessionId: string;
  attemptId: string | null;
  task: string;
  entry: number;
  seed: number;
  state: StoredCell['state'];
  tries: number;
  resolved: number;
  reward: number | null;
  exitReason: StoredCell['exitReason'];
  detail: string | null;
  steps: number;
  prompt: number | null;
  completion: number | null;
  cached: number | null;
  model: number;
  tools: number;
  total: number;
  gradingSeconds: number;
  peakMemoryBytes: number | null;
  energyJoules: number | null;
  patchBytes: number;
  files: number;
  insertions: number;
  deletions: number;
  blob: string | null;
  grading: string | null;
  premature: number;
  suspicions: string;
  label: string | null;
  startedAt: number;
  finishedAt: number | null;
}

const CELL_COLUMNS = `
  run_id AS runId, session_id AS sessionId, attempt_id AS attemptId, task, entry, seed, state, tries,
  resolved, reward, exit_reason AS exitReason, detail, steps, prompt_tokens AS prompt,
  completion_tokens AS completion, cached_tokens AS cached, model_seconds AS model,
  tools_seconds AS tools, total_seconds AS total, grading_seconds AS gradingSeconds,
  peak_memory_bytes AS peakMemoryBytes, energy_joules AS energyJoules,
  coalesce((SELECT size FROM blobs WHERE sha256 = patch_blob), 0) AS patchBytes,
  patch_files AS files, insertions, deletions, patch_blob AS blob, grading, premature, suspicions,
  label, started_at AS startedAt, finished_at AS finishedAt`;

function cellOf(row: CellRow): StoredCell {
  const { prompt, completion, cached, model, tools, total, gradingSeconds, ...others } = row;
  const { patchBytes, files, insertions, deletions, blob, ...plain } = others;
  return {
    ...plain,
    resolved: row.resolved === 1,
    premature: row.premature === 1,
    tokens: { prompt, completion, cached },
    seconds: { model, tools, total, grading: gradingSeconds },
    patch: { bytes: patchBytes, files, insertions, deletions, blob },
    // Checked when the events came in that they are made of.
    grading: parsed(row.grading) as StoredCell['grading'],
    suspicions: parsed(row.suspicions) as StoredCell['suspicions'],
    label: parsed(row.label) as StoredCell['label'],
  };
}

function parsed(text: string | null): unknown {
  return text === null ? null : JSON.parse(text);
}

const RUNS = { code: 'run_not_found', one: 'run', list: '`vivarium eval list`' } as const;

/** Read-only views over runs and their cells. */
export function openRunViews(database: Database): Pick<Store, 'runs' | 'run' | 'cells' | 'cell'> {
  const list = database.prepare<[], RunRow>(
    `SELECT ${RUN_COLUMNS} FROM ${JOINED} GROUP BY runs.run_id ORDER BY created_number DESC`,
  );
  // An exact id wins over ids it is a prefix of. As a range, the key finds them.
  const find = database.prepare<{ given: string }, RunRow>(
    `SELECT ${RUN_COLUMNS} FROM ${JOINED}
     WHERE runs.run_id >= :given AND runs.run_id < :given || char(1114111)
     GROUP BY runs.run_id ORDER BY runs.run_id = :given DESC LIMIT 2`,
  );
  const cells = database.prepare<[string], CellRow>(
    `SELECT ${CELL_COLUMNS} FROM run_cells WHERE run_id = ? ORDER BY entry, task, seed`,
  );
  const cell = database.prepare<[string], CellRow>(
    `SELECT ${CELL_COLUMNS} FROM run_cells WHERE session_id = ?`,
  );
  return {
    runs: () => list.all().map(summaryOf),
    run(given) {
      const found = given === '' ? [] : find.all({ given });
      return summaryOf(theOne(found, ({ runId }) => runId, given, RUNS));
    },
    cells: (runId) => cells.all(runId).map(cellOf),
    cell(sessionId) {
      const row = cell.get(sessionId);
      return row === undefined ? undefined : cellOf(row);
    },
  };
}
