import { describe, expect, it } from 'vitest';
import { newestOf, nextFailed, timelineOf } from './timeline.ts';
import { recordOf, startedBody, stepBody } from './testing.ts';

const CALL = { id: 'c1', name: 'Bash', arguments: '{"command":"false"}' };
const RUN = {
  ...{ exitCode: 1, signal: null, timedOut: false, outOfMemory: false },
  stdout: { bytes: 0, head: 'x', tail: null },
  stderr: { bytes: 0, head: 'x', tail: null },
};
const FAILED = stepBody(2, {
  messages: [
    { role: 'assistant', content: 'Look.', reasoning: 'Hm.', toolCalls: [CALL] },
    { role: 'tool', toolCallId: 'c1', name: 'Bash', content: 'Exit code: 1' },
  ],
  observations: [
    { callId: 'c1', tool: 'Bash', isError: false, durationMs: 5, notes: [], run: RUN },
  ],
  retries: ['asked again'],
});

describe('the timeline of an attempt', () => {
  const events = recordOf([
    ['s.1', startedBody(1)],
    ['s.2', startedBody(2)],
    ['s.1', stepBody(1)],
    ['s.2', stepBody(1)],
    ['s.1', FAILED],
    [null, { type: 'note', level: 'info', text: 'for all' }],
    ['s.2', { type: 'note', level: 'error', text: 'for the other' }],
  ]);
  const items = timelineOf(events, 's.1');

  it('holds its own items and those of the session', () => {
    expect(items.map(({ kind }) => kind)).toEqual(['start', 'step', 'step', 'note']);
  });

  it('puts results beside their calls, and says what failed', () => {
    expect(items[2]).toMatchObject({
      ...{ kind: 'step', step: 2, reasoning: 'Hm.', text: 'Look.', failed: true },
      calls: [{ name: 'Bash', result: 'Exit code: 1', failed: true }],
      notes: ['asked again'],
      at: 1_004_000,
      from: 1_003_500,
    });
    expect(items[1]).toMatchObject({ failed: false });
  });

  it('leads from one failed item to the next, in both directions', () => {
    expect(nextFailed(items, 0, 1)).toBe(2);
    expect(nextFailed(items, 2, 1)).toBeNull();
    expect(nextFailed(items, 3, -1)).toBe(2);
  });

  it('marks a reply that was cut off or had to be told something as failed', () => {
    const told = stepBody(1, { messages: [{ role: 'user', content: 'Write it again.' }] });
    const [first, second] = timelineOf(
      recordOf([
        ['s.1', stepBody(1, { finish: 'cut' })],
        ['s.1', { ...told, step: 2 }],
      ]),
      's.1',
    );
    expect(first).toMatchObject({ cut: true, failed: true });
    expect(second).toMatchObject({ nudges: ['Write it again.'], failed: true });
  });

  it('shows the image and the snapshot where an attempt starts', () => {
    const attestation = { imageId: 'sha256:ab', runtime: 'runc', engine: 'Docker', rows: [] };
    const [start] = timelineOf(
      recordOf([
        ['s.1', startedBody(1)],
        ['s.1', { type: 'workspace.opened', workspace: 'w', attestation, seconds: 1 }],
      ]),
      's.1',
    );
    expect(start).toMatchObject({ kind: 'start', number: 1, image: 'sha256:ab', snapshot: null });
  });

  it('makes the same items of a record that has grown, so that only the new one is drawn', () => {
    const [last, ...first] = events.toReversed();
    const before = timelineOf(first.toReversed(), 's.2');
    expect(last?.attemptId).toBe('s.2');
    const after = timelineOf(events, 's.2');
    expect(after).toHaveLength(before.length + 1);
    const kept = after.filter(({ kind }) => kind === 'step' || kind === 'note');
    expect(kept.slice(0, -1).every((item) => before.includes(item))).toBe(true);
  });

  it('holds nothing of a review', () => {
    const decided = { patch: 'p', hunks: ['h'], decision: 'accepted' as const };
    const reviewed = recordOf([
      ['s.1', stepBody(1)],
      ['s.1', { type: 'review.decided', ...decided }],
      ['s.1', { type: 'review.noteRemoved', id: 'n' }],
    ]);
    expect(timelineOf(reviewed, 's.1').map(({ kind }) => kind)).toEqual(['step']);
  });

  it('finds the newest body of a kind for an attempt', () => {
    expect(newestOf(events, 'attempt.started', 's.2')).toMatchObject({ number: 2 });
    expect(newestOf(events, 'patch.made', 's.2')).toBeNull();
  });
});
