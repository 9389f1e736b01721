import { describe, expect, it } from 'vitest';
import { followsAfter } from './follow.ts';

describe('following the newest step', () => {
  it.each<[string, boolean, number, number, number, boolean, boolean?]>([
    ['stays when what is drawn is shorter for a moment', true, 900, 700, 900, true, false],
    ['stays while content grows below', true, 500, 500, 900, true],
    ['ends when a person scrolls up', true, 900, 700, 900, false],
    ['stays with a small movement at the end', true, 900, 890, 900, true],
    ['begins again at the end', false, 700, 899, 900, true],
    ['does not begin on the way down', false, 100, 300, 900, false],
    ['stays on the way down after a jump of heights', true, 100, 300, 900, true],
  ])('%s', (_name, following, before, now, end, follows, byPerson = true) => {
    expect(followsAfter({ following, before, now, end, byPerson })).toBe(follows);
  });
});
