import { describe, expect, test } from 'vitest';
import { readReward } from './read-reward.ts';

const files = (entries: Record<string, string>): Record<string, Uint8Array> =>
  Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, Buffer.from(text)]));
const text = (content: string) => readReward(files({ 'reward.txt': content }));
const json = (content: string) => readReward(files({ 'reward.json': content }));

describe('a reward', () => {
  test.each([
    ['1', 1, true],
    [' 0.5\n', 0.5, false],
    ['0', 0, false],
    ['-1', -1, false],
    ['1e0', 1, true],
    ['.5', 0.5, false],
    ['2', 2, true],
  ])('of reward.txt %j is %d', (content, reward, full) => {
    expect(text(content)).toEqual({ kind: 'valid', reward, rewards: { reward }, full });
  });

  test.each(['', ' \n', 'nan', 'inf', 'Infinity', 'pass', '0x1', '1 2', '1,0', '1e999', 'true'])(
    'is none when reward.txt is %j',
    (content) => expect(text(content).kind).toBe('none'),
  );

  test.each([
    ['1', 1, { reward: 1 }, true],
    ['{"reward": 0.25, "other": 1}', 0.25, { reward: 0.25, other: 1 }, false],
    ['{"score": 1}', 1, { score: 1 }, true],
    ['{"a": 1, "b": 0.5}', 0.5, { a: 1, b: 0.5 }, false],
    ['{"a": 1, "b": 1}', 1, { a: 1, b: 1 }, true],
  ])('of reward.json %j is %d', (content, reward, rewards, full) => {
    expect(json(content)).toEqual({ kind: 'valid', reward, rewards, full });
  });

  test.each([
    '',
    '{}',
    '[]',
    '[1]',
    'null',
    'true',
    '"1"',
    'NaN',
    '{"a": "1"}',
    '{"a": true}',
    '{"a": null}',
    '{"a": 1e999}',
    '{',
  ])('is none when reward.json is %j', (content) => expect(json(content).kind).toBe('none'));

  test('reward.json counts before reward.txt, even when it is broken', () => {
    expect(readReward(files({ 'reward.json': '0', 'reward.txt': '1' }))).toMatchObject({
      reward: 0,
    });
    expect(readReward(files({ 'reward.json': '{', 'reward.txt': '1' })).kind).toBe('none');
    expect(readReward({})).toEqual({
      kind: 'none',
      why: 'it left neither reward.json nor reward.txt',
    });
  });
});
