import { describe, expect, test } from 'vitest';
import type { Progress } from '../../../core/index.ts';
import { FINISHED, STEP, stored } from '../sample-session.ts';
import { createTracker } from './tracker.ts';

const STARTED = {
  type: 'attempt.started',
  number: 1,
  seed: 7,
  owner: 'me',
  resumedFromStep: null,
} as const;

function at(at: Progress['at'], attemptId: string | null = 'a1', attempt = 1): Progress {
  return { sessionId: 's1', attemptId, attempt, at };
}

describe('a session that is followed', () => {
  test('phases before the first attempt', () => {
    const tracker = createTracker();
    expect(tracker.lines(0)).toEqual(['starts ...  0:00']);
    expect(tracker.progress(at({ kind: 'phase', text: 'taking a\nsnapshot' }, null, 0))).toBe(
      'taking a snapshot',
    );
    expect(tracker.lines(61)).toEqual(['taking a snapshot ...  1:01']);
  });

  test('what the model does, as it streams in', () => {
    const tracker = createTracker();
    const head = (): string | undefined => tracker.lines(5)[0];
    expect(stored(STARTED).flatMap((event) => tracker.event(event))).toEqual([
      '[1] attempt 1 begins (seed 7)',
    ]);
    expect(tracker.progress(at({ kind: 'phase', text: 'opening a workspace' }))).toBe(
      '[1] opening a workspace',
    );
    expect(head()).toBe('[1] opening a workspace');
    tracker.progress(at({ kind: 'model', step: 1 }));
    expect(head()).toBe('[1] step 1: waits for the model');
    const delta = (delta: Extract<Progress['at'], { kind: 'delta' }>['delta']) =>
      tracker.progress(at({ kind: 'delta', step: 1, delta }));
    delta({ kind: 'reasoning', text: 'I have to' });
    delta({ kind: 'reasoning', text: ' look\n\x1b[2J' });
    expect(head()).toBe('[1] step 1: thinks I have to look \\x1b[2J');
    delta({ kind: 'call', index: 0, name: 'Read', text: '{"file_' });
    delta({ kind: 'call', index: 0, text: 'path' });
    expect(head()).toBe('[1] step 1: calls Read {"file_path');
    delta({ kind: 'restart', reason: 'connection reset' });
    expect(head()).toBe('[1] step 1: tries again: connection reset');
    tracker.progress(at({ kind: 'tool', step: 1, name: 'Read', summary: 'a.py' }));
    expect(head()).toBe('[1] step 1: runs Read a.py');
  });

  test('a finished step: figures in the block, a line to keep', () => {
    const tracker = createTracker();
    const [started, step, second] = stored(STARTED, STEP, { ...STEP, step: 2 });
    const keep = [started, step, second].flatMap((event) => (event ? tracker.event(event) : []));
    expect(keep.slice(1, 4)).toEqual([
      '[1] step 1: Read shop/total.py, Bash pytest -q ls (failed) | 1,234 tokens in (1,000 cached), 56 out | model 2.1 s, tools 2.4 s | 210 MiB',
      '    tried again: the server closed the stream',
      '    note: a call was found in the content',
    ]);
    const memory = {
      kind: 'memory',
      workspaceBytes: 220_200_960,
      modelBytes: 1_288_490_188,
    } as const;
    expect(tracker.progress(at(memory))).toBeNull();
    expect(tracker.lines(83)).toEqual([
      '[1] step 2: Read shop/total.py, Bash pytest -q ls (failed)',
      '    1,234 tokens in context, 112 written | workspace 210 MiB | model 1.2 GiB | 1:23',
    ]);
  });

  test('attempts that run side by side each have their lines; ended ones have none', () => {
    const tracker = createTracker();
    const other = { number: 9, sessionId: 's1', attemptId: 'a2', at: 0 };
    for (const event of stored(STARTED)) tracker.event(event);
    tracker.event({ ...other, body: { ...STARTED, number: 2 } });
    expect(tracker.lines(0)).toHaveLength(4);
    const [ending] = stored(FINISHED);
    expect(ending && tracker.event(ending)).toEqual([
      '[1] ended after 1 step: the model gave its final answer',
    ]);
    expect(tracker.lines(0).map((line) => line.slice(0, 12))).toEqual([
      '[2] begins',
      '    tokens n',
    ]);
    tracker.event({ ...other, body: FINISHED });
    expect(tracker.lines(0)).toEqual(['making the patch ...  0:00']);
    tracker.progress(at({ kind: 'phase', text: 'verifying' }, 'a1', 1));
    expect(tracker.lines(0)).toEqual(['verifying ...  0:00']);
  });
});
