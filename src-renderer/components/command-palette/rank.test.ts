import { expect, it } from 'vitest';
import { ranked } from './rank.ts';

const ENTRIES = [
  { id: 'a', words: 'Show the keys', also: 'shortcuts' },
  { id: 'b', words: 'Sessions' },
  { id: 'c', words: 'Stop the session' },
  { id: 'd', words: 'Models' },
];
const ids = (typed: string) => ranked(ENTRIES, typed).map(({ id }) => id);

it('finds by the starts of words first, by every word that was typed', () => {
  expect(ids('')).toEqual(['a', 'b', 'c', 'd']);
  expect(ids('sess')).toEqual(['b', 'c']);
  expect(ids('the s')).toEqual(['a', 'c']);
  expect(ids('short')).toEqual(['a']);
  expect(ids('odel')).toEqual(['d']);
  expect(ids('models x')).toEqual([]);
});
