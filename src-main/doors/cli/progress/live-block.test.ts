import { expect, test } from 'vitest';
import { createLiveBlock } from './live-block.ts';
import { Screen } from './screen.ts';

test('the block is drawn over itself, in one write each time', () => {
  const screen = new Screen(40);
  const block = createLiveBlock(screen.console);
  block.draw(['one', 'two']);
  block.draw(['one!', '2']);
  expect(screen.rows()).toEqual(['one!', '2']);
  block.draw(['only']);
  expect(screen.rows()).toEqual(['only']);
  expect(screen.writes).toHaveLength(3);
});

test('lines above stay, long ones wrapped; the block is erased at the end', () => {
  const screen = new Screen(10);
  const block = createLiveBlock(screen.console);
  block.draw(['block one', 'block two']);
  block.draw(['block three'], ['kept and long']);
  expect(screen.rows()).toEqual(['kept and l', 'ong', 'block th…']);
  block.draw(['b'], ['more']);
  block.end();
  expect(screen.rows()).toEqual(['kept and l', 'ong', 'more']);
});

test('nothing in the block wraps, wide characters and misjudged ones included', () => {
  const screen = new Screen(10);
  const block = createLiveBlock(screen.console);
  for (let count = 0; count < 3; count += 1) block.draw(['漢字漢字漢字', 'x'.repeat(30)]);
  expect(screen.rows()).toEqual(['漢字漢字…', `${'x'.repeat(8)}…`]);
  block.end();
  expect(screen.rows()).toEqual([]);
});

test('more lines than the window has rows are cut', () => {
  const screen = new Screen(20, 3);
  const block = createLiveBlock(screen.console);
  block.draw(['1', '2', '3', '4']);
  expect(screen.rows()).toEqual(['1', '2']);
});
