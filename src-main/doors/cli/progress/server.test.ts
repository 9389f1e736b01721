import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ServerStatus } from '../../../contract/index.ts';
import type { Console } from '../console.ts';
import { Screen } from './screen.ts';
import { serverLine, watchServer } from './server.ts';

const STATUS: ServerStatus = {
  ...{ name: 'frog', state: 'loading', since: 0, progress: null, engine: 'vllm' },
  ...{ version: null, owner: null, ownerKind: null, pid: null, address: null },
  ...{ servedName: null, contextTokens: null, sequences: null, plan: null, memory: null },
  ...{ timings: null, restarts: 0, failure: null, logFile: null, users: 0 },
};
const HOSTILE = 'loading \u001b[2J\u202e\n2 of 4';
const SHOWN = 'loading \\x1b[2J\\u{202e} 2 of 4';

beforeEach(() => {
  vi.useFakeTimers({ now: 12_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

function plain(): { console: Console; text: () => string } {
  let text = '';
  const console: Console = {
    ...new Screen(80).console,
    errSize: () => null,
    err: (more) => {
      text += more;
    },
  };
  return { console, text: () => text };
}

test('one line says what a server does, and since when', () => {
  expect(serverLine(STATUS, 12_000)).toBe('loading frog  0:12');
  expect(serverLine({ ...STATUS, progress: HOSTILE, restarts: 2 }, 3_725_000)).toBe(
    `loading frog  ${SHOWN}  restart 2  1:02:05`,
  );
});

test('where stderr is no terminal: one line for each news, none twice', () => {
  const { console, text } = plain();
  const shown = watchServer(console);
  shown.onStatus({ ...STATUS, state: 'planning', progress: 'looking for the engine' });
  shown.onStatus({ ...STATUS, progress: HOSTILE });
  shown.onStatus({ ...STATUS, progress: HOSTILE, pid: 7 });
  vi.advanceTimersByTime(5_000);
  shown.onStatus({ ...STATUS, state: 'ready' });
  shown.say('stopping');
  shown.end();
  expect(text()).toBe(
    `planning frog looking for the engine\nloading frog ${SHOWN}\nready frog\nstopping\n`,
  );
});

test('on a terminal: drawn in place, with a clock that goes on, and gone at the end', () => {
  const screen = new Screen(60);
  const shown = watchServer(screen.console);
  vi.advanceTimersByTime(3_000);
  expect(screen.rows()).toEqual([]);
  shown.onStatus({ ...STATUS, progress: HOSTILE });
  expect(screen.rows()).toEqual([`loading frog  ${SHOWN}  0:15`]);
  vi.advanceTimersByTime(2_000);
  expect(screen.rows()).toEqual([`loading frog  ${SHOWN}  0:17`]);
  shown.say('stopping');
  expect(screen.rows()).toEqual(['stopping', `loading frog  ${SHOWN}  0:17`]);
  shown.end();
  expect(screen.rows()).toEqual(['stopping']);
  const { length } = screen.writes;
  vi.advanceTimersByTime(5_000);
  expect(screen.writes).toHaveLength(length);
});

test('on a terminal: what is said before there is anything to draw', () => {
  const screen = new Screen(60);
  const shown = watchServer(screen.console);
  shown.say('stopping');
  expect(screen.rows()).toEqual(['stopping']);
  shown.end();
  expect(screen.rows()).toEqual(['stopping']);
});

test('what is done with a server is shown in place of its state, on a terminal and elsewhere', () => {
  const screen = new Screen(60);
  const shown = watchServer(screen.console);
  shown.onStatus({ ...STATUS, state: 'ready' });
  shown.doing('turn 1 of 10');
  shown.doing('turn 2 \u001bof 10');
  vi.advanceTimersByTime(2_000);
  expect(screen.rows()).toEqual(['turn 2 \\x1bof 10']);
  shown.say('stopping');
  expect(screen.rows()).toEqual(['stopping', 'turn 2 \\x1bof 10']);
  shown.end();
  expect(screen.rows()).toEqual(['stopping']);

  const { console, text } = plain();
  const lines = watchServer(console);
  lines.doing('turn 1 of 10');
  lines.end();
  expect(text()).toBe('turn 1 of 10\n');
});
