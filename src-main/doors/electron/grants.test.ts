import { expect, it } from 'vitest';
import { createGrants } from './grants.ts';

it.each([
  ['/home/me/out', true],
  ['/home/me/out/', true],
  ['/home/me/x/../out', true],
  ['/home/me/out2', false],
  ['/home/me', false],
  ['/home/me/out/.ssh', false],
  ['out', false],
  ['', false],
])('one folder was picked, %j is asked for', (asked, allowed) => {
  const grants = createGrants();
  grants.give('/home/me/out');
  expect(grants.take(asked)).toBe(allowed);
  expect(grants.take('/home/me/out')).toBe(!allowed);
});

it('each is for one use, and those that nobody uses are forgotten', () => {
  const grants = createGrants();
  const folders = Array.from({ length: 17 }, (_, at) => `/f/${at}`);
  for (const folder of folders) grants.give(folder);
  expect(folders.map(grants.take)).toEqual(folders.map((_, at) => at > 0));
  expect(folders.map(grants.take)).toEqual(folders.map(() => false));
});
