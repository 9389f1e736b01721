import type { Database } from 'better-sqlite3';
import type { StoredEvent } from '../contract/index.ts';
import { VivariumError } from '../lib/index.ts';
import type { Change } from './project.ts';
import { searchTextOf } from './search-text.ts';

function flag(value: boolean): number {
  return value ? 1 : 0;
}

function prepareSession(database: Database) {
  return {
    touch: database.prepare(
      'UPDATE sessions SET updated_at = coalesce(:at, updated_at) WHERE session_id = :session',
    ),
    create: database.prepare(`
      INSERT INTO sessions (session_id, created_number, owner, title, repository, model, scaffold,
                            state, created_at, updated_at, search, run_id)
      VALUES (:session, :number, :owner, :title, :repository, :model, :scaffold, 'running', :at, :at,
              :search, :run)`),
    state: database.prepare(`
      UPDATE sessions SET state = :state,
                          ended_number = CASE WHEN :state = 'running' THEN NULL ELSE :number END
      WHERE session_id = :session AND (:from IS NULL OR state = :from)`),
    step: database.prepare('UPDATE sessions SET steps = steps + 1 WHERE session_id = :session'),
    totals: database.prepare(`
      UPDATE sessions SET files = :files, insertions = :insertions, deletions = :deletions
      WHERE session_id = :session`),
    verified: database.prepare(
      'UPDATE sessions SET verified = :verified WHERE session_id = :session',
    ),
    adopt: database.prepare(`
      UPDATE sessions SET (files, insertions, deletions, verified) = (
        SELECT coalesce(max(files), 0), coalesce(max(insertions), 0), coalesce(max(deletions), 0),
               max(verified)
        FROM attempts WHERE attempt_id = :attemptId)
      WHERE session_id = :session`),
  };
}

function prepareAttempt(database: Database) {
  return {
    // A resumed attempt starts a second time: with a new owner, its steps kept.
    start: database.prepare(`
      INSERT INTO attempts (attempt_id, session_id, number, seed, owner)
      VALUES (:attemptId, :session, :number, :seed, :owner)
      ON CONFLICT (attempt_id) DO UPDATE SET owner = :owner, exit_reason = NULL`),
    step: database.prepare(
      'UPDATE attempts SET steps = max(steps, :step) WHERE attempt_id = :attemptId',
    ),
    finish: database.prepare(`
      UPDATE attempts SET exit_reason = :exitReason, steps = :steps WHERE attempt_id = :attemptId`),
    totals: database.prepare(`
      UPDATE attempts SET files = :files, insertions = :insertions, deletions = :deletions
      WHERE attempt_id = :attemptId`),
    verified: database.prepare(
      'UPDATE attempts SET verified = :verified WHERE attempt_id = :attemptId',
    ),
  };
}

function notOnRecord(event: StoredEvent, change: Change): VivariumError {
  return new VivariumError(
    'internal',
    `an event of kind ${event.body.type} came for a row that is not on record (${change.do})`,
    'Report this as a fault of Vivarium.',
  );
}

/**
 * Prepares the statements and returns the function that brings the derived rows up to date with
 * one event. To be called inside the transaction that stores the event.
 */
export function changeApplier(
  database: Database,
): (event: StoredEvent, changes: readonly Change[]) => void {
  const sessions = prepareSession(database);
  const attempts = prepareAttempt(database);

  function applyOne(event: StoredEvent, change: Change): number {
    const session = event.sessionId;
    const { do: what, ...values } = change;
    switch (change.do) {
      case 'session.create':
        return sessions.create.run({
          ...{ ...values, session, number: event.number, at: event.at },
          run: change.run ?? null,
          search: searchTextOf([change.title, change.repository, change.model, session]),
        }).changes;
      case 'session.state':
        // No row changes where `from` does not fit: that is not a fault.
        sessions.state.run({ ...values, session, number: event.number });
        return 1;
      case 'session.step':
        return sessions.step.run({ session }).changes;
      case 'session.totals':
        return sessions.totals.run({ ...values, session }).changes;
      case 'session.verified':
        return sessions.verified.run({ session, verified: flag(change.verified) }).changes;
      case 'session.adopt':
        return sessions.adopt.run({ ...values, session }).changes;
      case 'attempt.start':
        return attempts.start.run({ ...values, session }).changes;
      case 'attempt.verified':
        return attempts.verified.run({ ...values, verified: flag(change.verified) }).changes;
      case 'attempt.step':
      case 'attempt.finish':
      case 'attempt.totals': {
        const kind = what.slice('attempt.'.length) as 'step' | 'finish' | 'totals';
        return attempts[kind].run(values).changes;
      }
    }
  }

  return (event, changes) => {
    for (const change of changes) {
      if (applyOne(event, change) !== 1) throw notOnRecord(event, change);
    }
    const { type } = event.body;
    if (type.startsWith('run.')) return;
    // Who reads a patch does not move its session on: it stays where it is in lists by time.
    const isOfReader = type.startsWith('review.') || type.startsWith('cell.');
    const at = isOfReader ? null : event.at;
    const touched = sessions.touch.run({ session: event.sessionId, at }).changes;
    if (touched !== 1) throw notOnRecord(event, { do: 'session.step' });
  };
}
