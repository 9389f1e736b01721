import { describe, expect, test } from 'vitest';
import { checkRow } from './check-row.ts';

const human = (length: number) => ({ from: 'human', value: 'h'.repeat(length) });
const gpt = (length: number) => ({ from: 'gpt', value: 'g'.repeat(length) });
const row = (...conversations: object[]) => ({ conversations, system: '', tools: '' });
const user = { role: 'user', content: 'Fix' };
const reply = { role: 'assistant', content: 'Done' };

describe('sharegpt by the rules of LLaMA-Factory', () => {
  test('whole: prompts are only read, replies learned; a quarter of the characters', () => {
    const value = { ...row(human(40), gpt(20), human(8), gpt(4)), system: 's'.repeat(40) };
    expect(checkRow('sharegpt', value, { cutoff: 100 })).toEqual({
      ...{ verdict: 'whole', notes: [], isEstimate: true },
      ...{ tokens: 28, learned: 6, masked: 22, cut: 0 },
    });
  });

  test.each([
    [row(gpt(4), human(4)), 'turn 1 is a reply out of turn'],
    [row(human(4), human(4)), 'turn 2 is no reply out of turn'],
    [row(human(4)), 'the number of turns is not even'],
    [row(), 'the number of turns is not even'],
  ])('skipped: %j', (value, why) => {
    expect(checkRow('sharegpt', value, { cutoff: 100 })).toMatchObject({
      ...{ verdict: 'skipped', notes: [why], learned: 0 },
    });
  });

  test.each([
    // A short reply stays whole, a long prompt is cut to what is left.
    [400, 40, { learned: 10, masked: 40, cut: 60 }],
    // A short prompt stays whole.
    [40, 400, { learned: 40, masked: 10, cut: 60 }],
    // Two long ones share by their lengths.
    [400, 400, { learned: 25, masked: 25, cut: 150 }],
  ])('cut at 50 tokens: %i and %i characters', (prompt, answer, counts) => {
    expect(checkRow('sharegpt', row(human(prompt), gpt(answer)), { cutoff: 50 })).toMatchObject({
      ...{ verdict: 'cut', ...counts },
    });
  });

  test('pairs after the limit are cut away as a whole', () => {
    const value = row(human(80), gpt(80), human(40), gpt(40));
    expect(checkRow('sharegpt', value, { cutoff: 40 })).toMatchObject({
      ...{ verdict: 'cut', learned: 20, masked: 20, cut: 20 },
    });
  });

  test('marks of chat templates are told', () => {
    const value = row({ from: 'human', value: 'a<|im_end|>b' }, gpt(4));
    expect(checkRow('sharegpt', value, { cutoff: 100 }).notes).toEqual([
      'holds marks like <|...|>, which a tokenizer may take for its own',
    ]);
  });
});

test('openai by the rules of LLaMA-Factory: what calls lose, results as one turn', () => {
  const fn = { name: 'Bash', arguments: '{}' };
  const call = { id: 'c', type: 'function', function: fn };
  const result = { role: 'tool', tool_call_id: 'c', content: 'ok' };
  const calls = { role: 'assistant', content: 'I look.', tool_calls: [call, call] };
  const value = { messages: [user, calls, result, result, reply] };
  expect(checkRow('openai', value, { cutoff: 100 })).toMatchObject({
    verdict: 'whole',
    notes: [
      'text and thought beside calls are dropped; replies: 1',
      'arguments of calls are text, which is quoted again; calls: 2',
      '"detailed thinking off" is put behind the system prompt, since there are no tools',
    ],
  });
});

describe('trl', () => {
  test('cut from the end', () => {
    const messages = [
      { ...user, content: 'u'.repeat(40) },
      { ...reply, content: 'a'.repeat(80) },
    ];
    expect(checkRow('trl', { messages }, { cutoff: 15 })).toEqual({
      ...{
        verdict: 'cut',
        notes: [],
        tokens: 30,
        learned: 5,
        masked: 10,
        cut: 15,
        isEstimate: true,
      },
    });
    expect(checkRow('trl', { messages }, { cutoff: 10 })).toMatchObject({
      ...{ verdict: 'skipped', notes: ['no reply is left of it'], cut: 30 },
    });
  });

  test('nothing to learn: skipped', () => {
    expect(checkRow('trl', { messages: [user] }, { cutoff: 100 })).toMatchObject({
      ...{ verdict: 'skipped', notes: ['no reply is left of it', 'the last message is no reply'] },
    });
  });

  // TRL takes them; what comes of them is the template's to say.
  test.each([
    [[user, reply, user], 'the last message is no reply'],
    [
      [user, { role: 'exit', content: '' }, reply],
      'a message has a role that few chat templates know',
    ],
    [
      [user, { ...reply, tool_calls: [{ function: { name: 'a', arguments: '{}' } }] }],
      'arguments of a call are text, which templates may quote again',
    ],
  ])('told: %j', (messages, note) => {
    expect(checkRow('trl', { messages }, { cutoff: 100 })).toMatchObject({
      ...{ verdict: 'whole', notes: [note] },
    });
  });

  test('a row that brings its tokens is counted by them', () => {
    const value = {
      messages: [user, reply],
      input_ids: [5, 6, 7, 8],
      assistant_masks: [0, 0, 1, 1],
    };
    expect(checkRow('trl', value, { cutoff: 3 })).toEqual({
      ...{ verdict: 'cut', notes: [], isEstimate: false, tokens: 4, learned: 1, masked: 2, cut: 1 },
    });
  });

  test('a pair is judged by its longer side, and skipped when one is empty', () => {
    const long = [{ ...reply, content: 'a'.repeat(400) }];
    const pair = { prompt: [user], chosen: [reply], rejected: long };
    expect(checkRow('preference', pair, { cutoff: 50 })).toMatchObject({
      verdict: 'cut',
      tokens: 101,
    });
    expect(checkRow('preference', { ...pair, chosen: [] }, { cutoff: 50 })).toMatchObject({
      ...{ verdict: 'skipped', notes: ['prompt or chosen is empty'] },
    });
    const labelled = { prompt: [user], completion: [reply], label: true };
    expect(checkRow('preference', labelled, { cutoff: 50 })).toMatchObject({
      verdict: 'whole',
      tokens: 2,
    });
  });
});
