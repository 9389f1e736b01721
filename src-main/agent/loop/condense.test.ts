import { expect, it } from 'vitest';
import type { ChatMessage } from '../../models/index.ts';
import { createBudget } from './budget.ts';
import { createCondenser } from './condense.ts';

const LIMITS = { maxSteps: 9, maxContextTokens: 10_000, maxTokensPerTurn: 100, timeLimitMs: 1 };
const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });

function historyOf(observations: number): ChatMessage[] {
  const turns = Array.from({ length: observations }, (_, n) => [
    assistant(`a${n}`),
    user(`${n}`.repeat(1_000)),
  ]);
  return [{ role: 'system', content: 's' }, user('task'), ...turns.flat()];
}

const shown = (messages: readonly ChatMessage[]) =>
  messages.filter(({ role }) => role === 'user').map(({ content }) => content.slice(0, 4));

it('the oldest observations go, never the task nor the last one, and stay away', () => {
  const condenser = createCondenser({ aboveTokens: 2_000, placeholder: '<gone>' });
  const budget = createBudget(LIMITS, null);
  const history = historyOf(3);
  expect(condenser.messages(history, budget)).toBe(history);

  budget.count({ promptTokens: 3_000, completionTokens: 20, cachedTokens: null });
  // 1,600 tokens are the aim: two of three thousand characters have to go, and only two may.
  expect(shown(condenser.messages(history, budget))).toEqual(['task', '<gon', '<gon', '2222']);
  expect(history[3]?.content.length).toBe(1_000);
  expect(budget.usedTokens()).toBeLessThan(1_100);

  budget.count({ promptTokens: 1_050, completionTokens: 20, cachedTokens: null });
  const longer = historyOf(4);
  expect(shown(condenser.messages(longer, budget))).toEqual([
    'task',
    '<gon',
    '<gon',
    '2222',
    '3333',
  ]);

  budget.count({ promptTokens: 2_050, completionTokens: 20, cachedTokens: null });
  expect(shown(condenser.messages(longer, budget))).toEqual([
    'task',
    '<gon',
    '<gon',
    '<gon',
    '3333',
  ]);
});

it('without settings the history itself is sent', () => {
  const history = historyOf(2);
  const budget = createBudget(LIMITS, null);
  budget.count({ promptTokens: 9_000, completionTokens: 1, cachedTokens: null });
  expect(createCondenser(undefined).messages(history, budget)).toBe(history);
});
