import { expect, test } from 'vitest';
import { createBudget } from './budget.ts';

const limits = { maxSteps: 1, maxContextTokens: 65_536, maxTokensPerTurn: 8_000, timeLimitMs: 1 };
const used = (promptTokens: number, completionTokens: number) => ({
  ...{ promptTokens, completionTokens, cachedTokens: null },
});

test('a turn has its limit, then what the window leaves, then nothing', () => {
  const budget = createBudget(limits, 60_000);
  expect(budget.nextMaxTokens()).toBe(8_000);
  budget.count(used(50_000, 5_000));
  expect(budget.nextMaxTokens()).toBe(5_000);
  budget.count(used(59_000, 990));
  expect(budget.nextMaxTokens()).toBeNull();
  expect(budget.fullDetail()).toBe('the server counted 59990 tokens of a window of 60000');
});

test('a prompt limit ends it while the window still has room', () => {
  const budget = createBudget({ ...limits, maxInputTokens: 46_000 }, null);
  budget.count(used(45_000, 1_000));
  expect(budget.nextMaxTokens()).toBe(8_000);
  budget.count(used(45_500, 501));
  expect(budget.nextMaxTokens()).toBeNull();
  expect(budget.fullDetail()).toBe('the server counted 46001 tokens, and a prompt may have 46000');
});
