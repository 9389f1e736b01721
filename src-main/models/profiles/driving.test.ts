import { expect, test } from 'vitest';
import { drivingOf } from './driving.ts';
import { importProfile } from './files.ts';

test('a profile drives with its scaffold, limits and sampling', () => {
  expect(drivingOf(importProfile('preset: qwen3-coder', 'x'))).toEqual({
    scaffold: 'leaf',
    limits: {
      ...{ maxSteps: 100, maxContextTokens: 65_536, maxTokensPerTurn: 8_192 },
      maxInputTokens: null,
    },
    sampling: { temperature: 0.7, topP: 0.8, topK: 20, repetitionPenalty: 1.05 },
  });
});

test('an input limit bounds what a conversation may come to', () => {
  const { limits } = drivingOf(importProfile('preset: frogmini-14b', 'x'));
  expect(limits).toEqual({
    ...{ maxSteps: 100, maxContextTokens: 54_000, maxTokensPerTurn: 8_000 },
    maxInputTokens: 46_000,
  });
  const small = importProfile('preset: frogmini-14b\ncontextTokens: 32k', 'x');
  expect(drivingOf(small).limits.maxContextTokens).toBe(32_768);
});

test('a plain profile asks for no sampling of its own', () => {
  expect(drivingOf(importProfile('', 'x')).sampling).toEqual({});
});
