import type { EventBody, EventOf, ExitReason, StoredEvent } from '../contract/index.ts';
import { VivariumError } from '../lib/index.ts';
import type { SessionState } from './types.ts';

interface Totals {
  files: number;
  insertions: number;
  deletions: number;
}

/** One change of a derived row. `applyChange` has one statement for each. */
export type Change =
  | {
      do: 'session.create';
      owner: string | null;
      title: string;
      repository: string;
      model: string;
      scaffold: string;
      /** Set in a cell of a run. */
      run?: string;
    }
  /** `from` limits it to sessions that are in that state. */
  | { do: 'session.state'; state: SessionState; from: SessionState | null }
  | { do: 'session.step' }
  | ({ do: 'session.totals' } & Totals)
  | { do: 'session.verified'; verified: boolean }
  /** The session shows the totals of this attempt; of none: zeros. */
  | { do: 'session.adopt'; attemptId: string | null }
  | { do: 'attempt.start'; attemptId: string; number: number; seed: number; owner: string }
  | { do: 'attempt.step'; attemptId: string; step: number }
  | { do: 'attempt.finish'; attemptId: string; exitReason: ExitReason; steps: number }
  | ({ do: 'attempt.totals'; attemptId: string } & Totals)
  | { do: 'attempt.verified'; attemptId: string; verified: boolean };

function attemptOf(event: StoredEvent): string {
  if (event.attemptId !== null) return event.attemptId;
  throw new VivariumError(
    'internal',
    `an event of kind ${event.body.type} came without its attempt`,
    'Report this as a fault of Vivarium.',
  );
}

function ofPatch(event: StoredEvent, body: Extract<EventBody, { type: 'patch.made' }>): Change[] {
  const totals = {
    files: body.files.length,
    insertions: body.insertions,
    deletions: body.deletions,
  };
  return [
    { do: 'attempt.totals', attemptId: attemptOf(event), ...totals },
    { do: 'session.totals', ...totals },
  ];
}

function ofEnding(
  event: StoredEvent,
  { exitReason, steps }: Extract<EventBody, { type: 'attempt.finished' }>,
): Change[] {
  const attemptId = attemptOf(event);
  const ending: Change = { do: 'attempt.finish', attemptId, exitReason, steps };
  if (exitReason !== 'interrupted') return [ending];
  return [ending, { do: 'session.state', state: 'interrupted', from: 'running' }];
}

function ofCreation(body: Extract<EventBody, { type: 'session.created' }>): Change {
  return {
    do: 'session.create',
    owner: body.owner ?? null,
    title: body.title,
    repository: body.repository,
    model: body.model.name,
    scaffold: body.scaffold.name,
    ...(body.cell && { run: body.cell.runId }),
  };
}

function ofGrading(
  event: StoredEvent,
  { state, resolved }: EventOf<'grading.finished'>['result'],
): Change[] {
  if (state === 'infra') return [];
  return [
    { do: 'attempt.verified', attemptId: attemptOf(event), verified: resolved },
    { do: 'session.verified', verified: resolved },
  ];
}

/**
 * What an event means for the derived rows of its session and attempt. Pure, and independent of how
 * long the session is, so that an append costs the same at step 1 and at step 1,000.
 */
export function project(event: StoredEvent): Change[] {
  const { body } = event;
  switch (body.type) {
    case 'session.created':
      return [ofCreation(body)];
    case 'attempt.started': {
      const { number, seed, owner } = body;
      return [
        { do: 'attempt.start', attemptId: attemptOf(event), number, seed, owner },
        { do: 'session.state', state: 'running', from: null },
      ];
    }
    case 'step.finished':
      return [
        { do: 'attempt.step', attemptId: attemptOf(event), step: body.step },
        { do: 'session.step' },
      ];
    case 'attempt.finished':
      return ofEnding(event, body);
    case 'patch.made':
      return ofPatch(event, body);
    case 'verification.finished': {
      const verified = body.result.passed;
      return [
        { do: 'attempt.verified', attemptId: attemptOf(event), verified },
        { do: 'session.verified', verified },
      ];
    }
    case 'grading.finished':
      return ofGrading(event, body.result);
    case 'session.interrupted':
      return [{ do: 'session.state', state: 'interrupted', from: 'running' }];
    case 'session.finished':
      return [
        { do: 'session.adopt', attemptId: body.attemptId },
        { do: 'session.state', state: body.outcome, from: null },
      ];
    case 'snapshot.taken':
    case 'workspace.opened':
    case 'attempt.opened':
    case 'patch.exported':
    case 'review.decided':
    case 'review.noted':
    case 'review.noteRemoved':
    case 'note':
    case 'run.created':
    case 'run.resumed':
    case 'run.finished':
    case 'cell.analysed':
    case 'cell.labelled':
      return [];
  }
}
