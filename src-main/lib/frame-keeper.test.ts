import { expect, test } from 'vitest';
import { frameKeeper } from './frame-keeper.ts';

test('others get their turn while a loop of short steps runs', async () => {
  const pause = frameKeeper(2);
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const end = performance.now() + 60;
  while (performance.now() < end) await pause();
  clearInterval(timer);
  expect(turns).toBeGreaterThan(3);
});

test('no turn is given away before the slice is over', () => {
  expect(frameKeeper(60_000)()).toBeUndefined();
});
