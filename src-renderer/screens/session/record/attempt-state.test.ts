import { expect, it } from 'vitest';
import { attemptState } from './attempt-state.ts';

it.each([
  [null, null, false, 'running'],
  ['interrupted', null, true, 'interrupted'],
  ['agent', true, true, 'verified'],
  ['max_turns', false, true, 'not_verified'],
  ['cancelled', null, true, 'cancelled'],
  ['llm_query_error', null, false, 'failed'],
  ['agent', null, true, 'patched'],
  ['agent', null, false, 'no_patch'],
] as const)(
  'an attempt with %s, verified %s, patch %s is %s',
  (exitReason, verified, has, state) => {
    expect(attemptState({ exitReason, verified }, has)).toBe(state);
  },
);
