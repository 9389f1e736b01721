import { expect, test } from 'vitest';
import { createLeafScaffold } from '../agent/index.ts';
import { drivenBy } from './driving.ts';

test('without a profile the scaffold is as it was', () => {
  const leaf = createLeafScaffold();
  expect(drivenBy(leaf, null)).toBe(leaf);
});

test("a profile's sampling wins member by member, and its length of a turn; nothing else changes", () => {
  const leaf = createLeafScaffold({ sampling: { temperature: 1, topK: 40 } });
  const driven = drivenBy(leaf, {
    sampling: { temperature: 0.6, topP: 0.95, seed: undefined },
    maxTokensPerTurn: 100,
    maxInputTokens: 900,
  });
  expect(driven.sampling).toEqual({ temperature: 0.6, topP: 0.95, topK: 40 });
  expect(driven.limits).toEqual({ ...leaf.limits, maxTokensPerTurn: 100, maxInputTokens: 900 });
  expect(driven.open({ instruction: 'x' })).toEqual(leaf.open({ instruction: 'x' }));
  expect(driven.hash).toBe(leaf.hash);
});

test('a profile that says nothing about the length of a turn leaves it', () => {
  const leaf = createLeafScaffold();
  const driven = drivenBy(leaf, { sampling: {}, maxTokensPerTurn: null, maxInputTokens: null });
  expect(driven.limits.maxTokensPerTurn).toBe(8192);
  expect(driven.sampling).toEqual(leaf.sampling);
});
