import { expect, it } from 'vitest';
import type { ServerState } from '../servers/types.ts';
import { canPass, TRANSITIONS } from './transitions.ts';

it('S06 every state leads on, and only a start leads out of an end', () => {
  const states = Object.keys(TRANSITIONS) as ServerState[];
  for (const end of ['stopped', 'failed', 'lost'] as const) {
    expect(states.filter((to) => canPass(end, to))).toEqual(['planning']);
  }
  for (const running of ['planning', 'loading', 'ready', 'busy'] as const) {
    expect(canPass(running, 'stopping')).toBe(true);
    expect(canPass(running, 'failed')).toBe(true);
    expect(canPass(running, 'stopped')).toBe(false);
  }
  expect(states.filter((from) => canPass(from, 'ready'))).toEqual(['loading', 'busy']);
  expect(states.filter((from) => canPass(from, 'lost'))).toEqual([]);
});
