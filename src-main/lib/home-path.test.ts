import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { withHome } from './home-path.ts';

describe('a path as it was typed', () => {
  it.each([
    ['~', homedir()],
    ['~/shop', `${homedir()}/shop`],
    ['~/', `${homedir()}/`],
    ['~/../x', `${homedir().replace(/\/[^/]*$/, '')}/x`],
  ])('%s is of the home folder', (given, full) => {
    expect(withHome(given)).toBe(full);
  });

  it.each(['', '/shop', 'shop', './~', '~ann/shop', '/a/~/b', ' ~/shop'])('%s stays', (given) => {
    expect(withHome(given)).toBe(given);
  });
});
