import { describe, expect, test } from 'vitest';
import type { NewEvent } from './types.ts';
import { project } from './project.ts';
import { sample } from './sample-events.ts';

function changes(event: NewEvent) {
  return project({
    number: 1,
    at: 5,
    sessionId: event.sessionId,
    attemptId: event.attemptId,
    body: event.body,
  });
}

describe('project', () => {
  test('a new session', () => {
    expect(changes(sample('session.created'))).toEqual([
      {
        do: 'session.create',
        owner: 'me',
        title: 'Totals are off by one',
        repository: '/home/ann/shop',
        model: 'sample',
        scaffold: 'leaf',
      },
    ]);
  });

  test('a started attempt, and one that goes on', () => {
    expect(changes(sample('attempt.started'))).toEqual([
      { do: 'attempt.start', attemptId: 'a1', number: 1, seed: 7, owner: 'me' },
      { do: 'session.state', state: 'running', from: null },
    ]);
  });

  test('a step', () => {
    expect(changes(sample('step.finished', { step: 4 }))).toEqual([
      { do: 'attempt.step', attemptId: 'a1', step: 4 },
      { do: 'session.step' },
    ]);
  });

  test('an ending leaves the state of the session alone, unless it is an interruption', () => {
    const end = { do: 'attempt.finish', attemptId: 'a1', steps: 1 };
    expect(changes(sample('attempt.finished'))).toEqual([{ ...end, exitReason: 'agent' }]);
    expect(changes(sample('attempt.finished', { exitReason: 'interrupted' }))).toEqual([
      { ...end, exitReason: 'interrupted' },
      { do: 'session.state', state: 'interrupted', from: 'running' },
    ]);
  });

  test('a patch counts for its attempt and, until the end, for the session', () => {
    const totals = { files: 1, insertions: 3, deletions: 2 };
    expect(changes(sample('patch.made'))).toEqual([
      { do: 'attempt.totals', attemptId: 'a1', ...totals },
      { do: 'session.totals', ...totals },
    ]);
  });

  test('the end of a session adopts the attempt that is its result', () => {
    expect(changes(sample('session.finished', { outcome: 'no_patch', attemptId: null }))).toEqual([
      { do: 'session.adopt', attemptId: null },
      { do: 'session.state', state: 'no_patch', from: null },
    ]);
  });

  test('a review changes no row', () => {
    for (const type of ['review.decided', 'review.noted', 'review.noteRemoved'] as const) {
      expect(changes(sample(type))).toEqual([]);
    }
  });

  test('an event of an attempt without its attempt is refused', () => {
    expect(() => changes({ ...sample('step.finished'), attemptId: null })).toThrow(
      'an event of kind step.finished came without its attempt',
    );
  });
});
