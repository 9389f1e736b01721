import { describe, expect, it } from 'vitest';
import { createStopWatch } from './stop-watch.ts';

function watch(stops: string[], pieces: string[]): { text: string; stopped: boolean } {
  const watcher = createStopWatch(stops);
  let text = '';
  for (const piece of pieces) {
    const got = watcher.push(piece);
    text += got.text;
    if (got.stopped) return { text, stopped: true };
  }
  return { text: text + watcher.end(), stopped: false };
}

describe('stop texts', () => {
  it.each([
    ['none', [], ['a', 'b'], 'ab', false],
    ['one in a piece', ['END'], ['a END b'], 'a ', true],
    ['one over pieces', ['END'], ['a E', 'N', 'D b'], 'a ', true],
    ['only its start', ['END'], ['a E', 'N'], 'a EN', false],
    ['the earliest of two', ['y', 'xx'], ['a xx y'], 'a ', true],
    ['one that starts twice', ['aab'], ['aaab'], 'a', true],
    ['an empty one is none', [''], ['a'], 'a', false],
  ])('%s', (_title, stops, pieces, text, stopped) => {
    expect(watch(stops, pieces)).toEqual({ text, stopped });
  });
});
