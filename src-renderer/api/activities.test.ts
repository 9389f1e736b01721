import { describe, expect, it } from 'vitest';
import type { LiveActivity } from '../../src-main/contract/index.ts';
import type { StoredEvent } from '../../src-main/contract/index.ts';
import { stepBody } from '../screens/session/record/testing.ts';
import {
  type Activities,
  type Activity,
  afterStep,
  followActivity,
  nextActivity,
} from './activities.ts';

const item = (activity: LiveActivity, attempt = 1, at = 5) => ({
  kind: 'activity' as const,
  sessionId: 's',
  attemptId: 'a',
  attempt,
  at,
  activity,
});
const after = (activities: LiveActivity[]): Activity | undefined =>
  activities.reduce<Activity | undefined>((now, next) => nextActivity(now, item(next)), undefined);

describe('what a session does now', () => {
  it('gathers the text of a step and drops it with the next', () => {
    const texts: LiveActivity[] = [
      { kind: 'model', step: 3 },
      { kind: 'delta', step: 3, part: 'reasoning', text: 'why ' },
      { kind: 'delta', step: 3, part: 'reasoning', text: 'so' },
      { kind: 'delta', step: 3, part: 'content', text: 'this' },
    ];
    expect(after(texts)).toMatchObject({ step: 3, reasoning: 'why so', content: 'this' });
    expect(after([...texts, { kind: 'delta', step: 4, part: 'call', text: '{' }])).toMatchObject({
      step: 4,
      reasoning: '',
      content: '',
      call: '{',
    });
  });

  it('starts over when the server is asked again, and says why', () => {
    const state = after([
      { kind: 'delta', step: 1, part: 'content', text: 'lost' },
      { kind: 'restart', step: 1, reason: 'the server was gone' },
    ]);
    expect(state).toMatchObject({ content: '', notes: ['the server was gone'] });
  });

  it('knows the tool and since when, until the step is on record', () => {
    const state = after([{ kind: 'tool', step: 2, name: 'Bash', summary: 'pytest' }]);
    expect(state?.tool).toEqual({ name: 'Bash', summary: 'pytest', since: 5 });
    expect(state && afterStep(state)).toMatchObject({ tool: null, step: null });
  });

  it('keeps a bounded number of looks at the memory, and none of another attempt', () => {
    let state: Activity | undefined;
    for (let look = 0; look < 1000; look += 1) {
      state = nextActivity(state, item({ kind: 'memory', workspaceBytes: look, modelBytes: null }));
    }
    expect([state?.memory.length, state?.memory[0]?.workspaceBytes]).toEqual([900, 100]);
    expect(nextActivity(state, item({ kind: 'phase', text: 'x' }, 2)).memory).toEqual([]);
  });

  it('keeps attempts that run at once apart', () => {
    const all: Activities = new Map();
    const say = (attempt: number, text: string) =>
      followActivity(all, {
        ...item({ kind: 'delta', step: 1, part: 'content', text }, attempt),
        attemptId: `a${attempt}`,
      });
    const step = (attemptId: string): StoredEvent => ({
      ...{ number: 1, sessionId: 's', attemptId, at: 6 },
      body: stepBody(1),
    });
    say(1, 'one ');
    say(2, 'two');
    say(1, 'and on');
    const contents = () => [...(all.get('s')?.values() ?? [])].map(({ content }) => content);
    expect(contents()).toEqual(['two', 'one and on']);
    followActivity(all, { kind: 'event', event: step('a2') });
    expect(contents()).toEqual(['', 'one and on']);
  });
});
