import { expect, test } from 'vitest';
import type { Observation } from '../types.ts';
import { createLoopGuard, type LoopVerdict } from './loop-guard.ts';

/** Feeds turns; in each, `x` is a call and `x=y` a call with result y. */
function verdicts(turns: string[]): LoopVerdict[] {
  const guard = createLoopGuard();
  return turns.map((turn) => {
    const pairs = turn.split(' ').map((part) => part.split('='));
    return guard.observe(
      pairs.map(([name = '']) => ({ id: 'i', name, arguments: '{}' })),
      pairs.map(([name = '', result = 'r']): Observation => ({
        callId: 'i',
        tool: name,
        text: result,
        isError: false,
        mutated: false,
        durationMs: 0,
        notes: [],
      })),
    );
  });
}

const last = (turns: string[]): LoopVerdict | undefined => verdicts(turns).at(-1);

test('L05 the same call with the same result', () => {
  expect(verdicts(['a', 'a', 'a', 'a', 'a', 'a'])).toEqual([
    'fine',
    'fine',
    'fine',
    'nudge',
    'fine',
    'loop',
  ]);
});

test('L05 A/B/A/B and A/B/C/A/B/C', () => {
  expect(verdicts(['a', 'b', 'a', 'b', 'a', 'b'])).toEqual([
    'fine',
    'fine',
    'fine',
    'nudge',
    'fine',
    'loop',
  ]);
  expect(verdicts(['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b'])).toEqual([
    'fine',
    'fine',
    'fine',
    'fine',
    'fine',
    'nudge',
    'fine',
    'loop',
  ]);
});

test('L05 the same call with another result each time is no loop', () => {
  expect(new Set(verdicts(Array.from({ length: 20 }, (_, n) => `a=${String(n)}`)))).toEqual(
    new Set(['fine']),
  );
  expect(last(['edit=1', 'test=f', 'edit=2', 'test=f', 'edit=3', 'test=f'])).toBe('fine');
});

test('L05 results that differ only in durations and addresses are the same', () => {
  const guard = createLoopGuard();
  const turns = ['1 failed in 0.12s', '1 failed in 0.13s', '1 failed in 0.2s', '1 failed in 1.01s'];
  const seen = turns.map((text) =>
    guard.observe(
      [{ id: 'i', name: 'Bash', arguments: '{}' }],
      [
        {
          callId: 'i',
          tool: 'Bash',
          text,
          isError: false,
          mutated: false,
          durationMs: 0,
          notes: [],
        },
      ],
    ),
  );
  expect(seen).toEqual(['fine', 'fine', 'fine', 'nudge']);
});

test('L05 a model that breaks off after the nudge goes on', () => {
  expect(last(['a', 'a', 'a', 'a', 'b', 'a', 'c'])).toBe('fine');
});

test('L05 four equal calls in one turn are answered by a nudge, not by the end', () => {
  expect(verdicts(['a a a a a a', 'b'])).toEqual(['nudge', 'fine']);
});

test('L05 a model that keeps falling into loops ends at the fourth', () => {
  const turns = ['w', 'x', 'y', 'z'].flatMap((name) => [name, name, name, name]);
  expect(verdicts(turns).filter((verdict) => verdict !== 'fine')).toEqual([
    'nudge',
    'nudge',
    'nudge',
    'loop',
  ]);
});
