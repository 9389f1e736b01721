import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Console } from '../console.ts';
import { STEP, stored } from '../sample-session.ts';
import { Screen } from './screen.ts';
import { watch } from './watch.ts';

const HOSTILE = '\x1b[2J\x1b]0;t\x07\u202e\r\n\u009b1m';

function hostileStep() {
  const toolCalls = [{ id: 'c1', name: 'Bash', arguments: JSON.stringify({ command: HOSTILE }) }];
  return {
    ...STEP,
    messages: [{ role: 'assistant' as const, content: HOSTILE, toolCalls }],
    retries: [HOSTILE],
    notes: [HOSTILE],
  };
}

const STARTED = {
  type: 'attempt.started',
  number: 1,
  seed: 7,
  owner: 'me',
  resumedFromStep: null,
} as const;

test('P10: where stderr is no terminal: a line per step, without a single control character', () => {
  let text = '';
  const screen = new Screen(80);
  const console: Console = {
    ...screen.console,
    errSize: () => null,
    err: (more) => {
      text += more;
    },
  };
  const shown = watch(console);
  const ids = { sessionId: 's1', attemptId: 'a1', attempt: 1 };
  shown.onProgress({ ...ids, at: { kind: 'phase', text: `opening ${HOSTILE}` } });
  for (const event of stored(STARTED, hostileStep(), { ...STEP, step: 2 })) shown.onEvent(event);
  shown.onProgress({
    ...ids,
    at: { kind: 'delta', step: 2, delta: { kind: 'content', text: HOSTILE } },
  });
  shown.end();
  expect(text).toMatch(/^[\n\x20-\x7e]*$/);
  expect(text.split('\n').filter((line) => line.startsWith('[1] step '))).toHaveLength(2);
});

test('P10: on a terminal: the same through the block, at most ten draws a second', async () => {
  // The screen refuses raw control characters and unknown escapes.
  const screen = new Screen(60);
  const shown = watch(screen.console);
  const ids = { sessionId: 's1', attemptId: 'a1', attempt: 1 };
  for (const event of stored(STARTED, hostileStep())) shown.onEvent(event);
  const before = screen.writes.length;
  const began = performance.now();
  for (let count = 0; count < 30; count += 1) {
    const delta = { kind: 'content', text: `${count}${HOSTILE}` } as const;
    shown.onProgress({ ...ids, at: { kind: 'delta', step: 2, delta } });
    await sleep(10);
  }
  await sleep(150);
  const draws = screen.writes.length - before;
  expect(draws).toBeGreaterThanOrEqual(2);
  expect(draws).toBeLessThanOrEqual(Math.ceil((performance.now() - began) / 100) + 1);
  expect(screen.rows().at(-2)).toMatch(/^\[1\] step 2: writes /);
  shown.say('stopping');
  screen.resize(20);
  shown.end();
  shown.end();
  expect(screen.rows().at(-1)).toBe('stopping');
  shown.onEvent({ number: 9, sessionId: 's1', attemptId: 'a1', at: 0, body: STEP });
  expect(screen.rows().at(-1)).toBe('stopping');
});
