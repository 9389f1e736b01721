import type { Database } from 'better-sqlite3';
import type { StoredEvent } from '../contract/index.ts';
import { VivariumError } from '../lib/index.ts';
import type { RunChange } from './project-run.ts';

function prepareRun(database: Database) {
  return {
    create: database.prepare(`
      INSERT INTO runs (run_id, created_number, owner, name, state, created_at, tasks, entries, seeds)
      VALUES (:id, :number, :owner, :name, 'running', :at, :tasks, :entries, :seeds)`),
    resume: database.prepare(`
      UPDATE runs SET state = 'running', owner = :owner, finished_at = NULL WHERE run_id = :id`),
    finish: database.prepare(
      'UPDATE runs SET state = :state, finished_at = :at WHERE run_id = :id',
    ),
  };
}

/** `:attemptId` guards against words of a try that is not the last any more. */
const OF_ATTEMPT = 'WHERE session_id = :id AND attempt_id = :attemptId';

function prepareCell(database: Database) {
  return {
    create: database.prepare(`
      INSERT INTO run_cells (session_id, run_id, task, entry, seed, state, started_at)
      VALUES (:id, :runId, :task, :entry, :seed, 'running', :at)`),
    forget: database.prepare(`
      UPDATE run_cells SET resolved = 0, reward = NULL, exit_reason = NULL, detail = NULL, steps = 0,
        prompt_tokens = NULL, completion_tokens = NULL, cached_tokens = NULL, model_seconds = 0,
        tools_seconds = 0, total_seconds = 0, grading_seconds = 0, peak_memory_bytes = NULL,
        energy_joules = NULL, patch_blob = NULL, patch_files = 0, insertions = 0, deletions = 0,
        grading = NULL, premature = 0, suspicions = '[]'
      WHERE session_id = :id AND attempt_id IS NOT :attemptId`),
    begin: database.prepare(`
      UPDATE run_cells SET state = 'running', tries = max(tries, :number), attempt_id = :attemptId,
        finished_at = NULL
      WHERE session_id = :id`),
    step: database.prepare(`UPDATE run_cells SET steps = max(steps, :step) ${OF_ATTEMPT}`),
    end: database.prepare(`
      UPDATE run_cells SET state = :state, exit_reason = :exitReason, detail = :detail,
        steps = :steps, prompt_tokens = :prompt, completion_tokens = :completion,
        cached_tokens = :cached, model_seconds = :model, tools_seconds = :tools,
        total_seconds = :total, peak_memory_bytes = :peakMemoryBytes, finished_at = :at
      ${OF_ATTEMPT}`),
    patch: database.prepare(`
      UPDATE run_cells SET patch_blob = :blob, patch_files = :files, insertions = :insertions,
        deletions = :deletions ${OF_ATTEMPT}`),
    grade: database.prepare(`
      UPDATE run_cells SET state = :state, grading = :grading, resolved = :resolved,
        reward = :reward, grading_seconds = :seconds, finished_at = coalesce(finished_at, :at)
      ${OF_ATTEMPT}`),
    analyse: database.prepare(`
      UPDATE run_cells SET premature = :premature, suspicions = :suspicions,
        energy_joules = :energyJoules ${OF_ATTEMPT}`),
    label: database.prepare('UPDATE run_cells SET label = :label WHERE session_id = :id'),
    interrupt: database.prepare(`
      UPDATE run_cells SET state = 'interrupted' WHERE session_id = :id AND state = 'running'`),
    // A session that ended without a verdict says nothing of its model.
    finish: database.prepare(`
      UPDATE run_cells SET finished_at = :at,
        detail = CASE WHEN state IN ('graded', 'infra') THEN detail ELSE coalesce(:detail, detail) END,
        state = CASE
          WHEN state IN ('graded', 'infra') THEN state
          WHEN :outcome = 'cancelled' THEN 'stopped' ELSE 'infra' END
      WHERE session_id = :id`),
  };
}

/**
 * Prepares the statements and returns the function that brings the rows of runs and cells up to date.
 * To be called inside the transaction that stores the event.
 */
export function runChangeApplier(
  database: Database,
): (event: StoredEvent, changes: readonly RunChange[]) => void {
  const runs = prepareRun(database);
  const cells = prepareCell(database);

  function applyRun(
    change: Extract<RunChange, { do: `run.${string}` }>,
    at: { id: string; number: number; at: number },
  ): void {
    const kind = change.do.slice('run.'.length) as 'create' | 'resume' | 'finish';
    if (runs[kind].run({ ...at, ...change }).changes !== 1) throw notOnRecord(at.id);
  }

  function applyCell(
    change: Extract<RunChange, { do: `cell.${string}` }>,
    at: { id: string; at: number },
  ): void {
    switch (change.do) {
      case 'cell.begin':
        cells.forget.run({ ...at, ...change });
        cells.begin.run({ ...at, ...change });
        return;
      case 'cell.end': {
        const { tokens, seconds, ...values } = change;
        cells.end.run({ ...at, ...values, ...tokens, ...seconds });
        return;
      }
      case 'cell.grade': {
        const { grading, attemptId } = change;
        const { state, reward, seconds } = grading;
        const values = { state, reward, seconds, resolved: Number(grading.resolved) };
        cells.grade.run({ ...at, attemptId, ...values, grading: JSON.stringify(grading) });
        return;
      }
      case 'cell.analyse':
        cells.analyse.run({ ...at, ...change, premature: Number(change.premature) });
        return;
      case 'cell.create':
      case 'cell.step':
      case 'cell.patch':
      case 'cell.label':
      case 'cell.interrupt':
      case 'cell.finish': {
        const kind = change.do.slice('cell.'.length) as
          | 'create'
          | 'step'
          | 'patch'
          | 'label'
          | 'interrupt'
          | 'finish';
        cells[kind].run({ ...at, ...change });
      }
    }
  }

  return ({ sessionId: id, number, at }, changes) => {
    for (const change of changes) {
      if (isOfRun(change)) applyRun(change, { id, number, at });
      else applyCell(change, { id, at });
    }
  };
}

function isOfRun(change: RunChange): change is Extract<RunChange, { do: `run.${string}` }> {
  return change.do.startsWith('run.');
}

function notOnRecord(runId: string): VivariumError {
  return new VivariumError(
    'internal',
    `an event came for run ${runId}, which is not on record`,
    'Report this as a fault of Vivarium.',
  );
}
