import { expect, test } from 'vitest';
import { nextParts } from './next-steps.ts';

test('a command among words is told with what it is done to', () => {
  expect(nextParts('Stop it first: `vivarium models stop frog`.')).toEqual([
    { kind: 'text', text: 'Stop it first: ' },
    { kind: 'command', name: 'models stop', subject: 'frog', text: 'vivarium models stop frog' },
    { kind: 'text', text: '.' },
  ]);
});

test('a placeholder and a flag are nobody', () => {
  expect(nextParts('`vivarium models add PATH`')).toEqual([
    { kind: 'command', name: 'models add', subject: null, text: 'vivarium models add PATH' },
  ]);
  expect(nextParts('`vivarium show --json`')).toMatchObject([{ name: 'show', subject: null }]);
});

test('what is no command of ours stays text', () => {
  const text = 'Run `pytest`, then `vivarium fly` and `vivarium models`.';
  expect(nextParts(text)).toEqual([{ kind: 'text', text }]);
  expect(nextParts('')).toEqual([]);
});
