import { expect, it } from 'vitest';
import { readAgain } from './read-again.ts';

/** Fails so many times, then gives how often it was asked. */
function failing(times: number) {
  let asked = 0;
  return async () => {
    asked += 1;
    if (asked <= times) throw new Error(`cut off ${asked}`);
    return asked;
  };
}

it('reads again what was cut off, and says in the end why it could not', async () => {
  expect(await readAgain(failing(0), [])).toBe(1);
  expect(await readAgain(failing(2), [0, 0])).toBe(3);
  await expect(readAgain(failing(3), [0, 0])).rejects.toThrow('cut off 3');
});
