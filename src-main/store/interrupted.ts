import type { Database } from 'better-sqlite3';
import type { EventOf, StoredEvent } from '../contract/index.ts';
import type { Events } from './events.ts';
import type { NewEvent } from './types.ts';

interface OpenAttempt {
  attemptId: string;
  sessionId: string;
  owner: string;
}

interface RunningSession {
  sessionId: string;
  owner: string | null;
}

type Step = EventOf<'step.finished'>;

/** `null` only where no step has a figure: an unknown is not a zero. */
function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
}

function highest(steps: readonly Step[]): number | null {
  const seen = steps.map((step) => step.memory.workspaceBytes).filter((bytes) => bytes !== null);
  return seen.length === 0 ? null : Math.max(...seen);
}

/** Time an attempt was at work: from each start (a resume is one) to its last sign of life. */
function secondsAtWork(events: readonly StoredEvent[]): number {
  let total = 0;
  let before: StoredEvent | undefined;
  for (const event of events) {
    if (before !== undefined && event.body.type !== 'attempt.started')
      total += event.at - before.at;
    before = event;
  }
  return total / 1000;
}

/** The ending of an attempt that could not write its own, from what is on record of it. */
export function endingOf(events: readonly StoredEvent[]): EventOf<'attempt.finished'> {
  const steps = events.map((event) => event.body).filter((body) => body.type === 'step.finished');
  const seconds = (pick: (step: Step) => number): number =>
    steps.reduce((total, step) => total + pick(step), 0) / 1000;
  return {
    type: 'attempt.finished',
    exitReason: 'interrupted',
    detail: 'the process that ran it ended without a word',
    steps: steps.reduce((last, step) => Math.max(last, step.step), 0),
    finalMessage: null,
    usage: {
      promptTokens: sum(steps.map((step) => step.usage.promptTokens)),
      completionTokens: sum(steps.map((step) => step.usage.completionTokens)),
      cachedTokens: sum(steps.map((step) => step.usage.cachedTokens)),
    },
    seconds: {
      model: seconds((step) => step.timings.modelMs),
      tools: seconds((step) => step.timings.toolsMs),
      total: secondsAtWork(events),
    },
    peakMemoryBytes: highest(steps),
  };
}

/** Ends what dead owners left open; see `Store.markInterrupted`. */
export function interruptedMarker(database: Database, events: Events) {
  const openAttempts = database.prepare<[], OpenAttempt>(
    `SELECT attempt_id AS attemptId, session_id AS sessionId, owner
     FROM attempts WHERE exit_reason IS NULL`,
  );
  // Between its attempts a session belongs to the owner of the last one, before the first to its own.
  const runningSessions = database.prepare<[], RunningSession>(
    `SELECT session_id AS sessionId, coalesce(
       (SELECT owner FROM attempts WHERE attempts.session_id = sessions.session_id
        ORDER BY rowid DESC LIMIT 1), owner) AS owner
     FROM sessions WHERE state = 'running'`,
  );

  const runningRuns = database.prepare<[], { runId: string; owner: string }>(
    "SELECT run_id AS runId, owner FROM runs WHERE state = 'running'",
  );

  function sessionEnding(sessionId: string): NewEvent {
    return {
      sessionId,
      attemptId: null,
      body: {
        type: 'session.interrupted',
        detail: 'the process that ran it ended without a word',
      },
    };
  }

  function runEnding(runId: string): NewEvent {
    const detail = 'the process that ran it ended without a word';
    const body = { type: 'run.finished', outcome: 'interrupted', detail } as const;
    return { sessionId: runId, attemptId: null, body };
  }

  /** Whether there is anything to mark. Only reads, so that looking often holds up no writer. */
  function isAnyDead(isAlive: (owner: string) => boolean): boolean {
    return (
      openAttempts.all().some(({ owner }) => !isAlive(owner)) ||
      runningSessions.all().some(({ owner }) => owner !== null && !isAlive(owner)) ||
      runningRuns.all().some(({ owner }) => !isAlive(owner))
    );
  }

  /** To be called inside one transaction; returns what it appended. */
  function markAll(isAlive: (owner: string) => boolean): {
    attempts: number;
    appended: StoredEvent[];
  } {
    const appended: StoredEvent[] = [];
    const dead = openAttempts.all().filter((attempt) => !isAlive(attempt.owner));
    for (const { sessionId, attemptId } of dead) {
      const body = endingOf(events.list({ sessionId, attemptId }));
      appended.push(events.add({ sessionId, attemptId, body }));
    }
    for (const { sessionId, owner } of runningSessions.all()) {
      if (owner === null || isAlive(owner)) continue;
      appended.push(events.add(sessionEnding(sessionId)));
    }
    for (const { runId, owner } of runningRuns.all()) {
      if (!isAlive(owner)) appended.push(events.add(runEnding(runId)));
    }
    return { attempts: dead.length, appended };
  }

  return { isAnyDead, markAll };
}
