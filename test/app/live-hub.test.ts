import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { LiveItem } from '../../src-main/contract/index.ts';
import type { FixProgress } from '../../src-main/fix/index.ts';
import { openStore, type Store } from '../../src-main/store/index.ts';
import { begin, sample } from '../../src-main/store/sample-events.ts';
import { createLiveHub, type LiveHub } from '../../src-main/core/live/hub.ts';

let folder: string;
let file: string;
let store: Store;
let hub: LiveHub;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vivarium-live-'));
  file = path.join(folder, 'record.sqlite');
  store = openStore(file);
  hub = createLiveHub(store);
});

afterEach(() => {
  hub.close();
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

function listen(after: number | null, session?: string) {
  const stop = new AbortController();
  const stream = hub.listen({ after, session, signal: stop.signal });
  onTestFinished(() => stop.abort());
  const take = async (count: number): Promise<LiveItem[]> => {
    const items: LiveItem[] = [];
    while (items.length < count) {
      const { value, done } = await stream.next();
      if (done === true) break;
      items.push(value);
    }
    return items;
  };
  return { stream, stop, take };
}

/** `from 3`, `5 note`, `delta text`: what an item says, in short. */
function shown(item: LiveItem): string {
  if (item.kind === 'from') return `from ${item.number}`;
  if (item.kind === 'event') return `${item.event.number} ${item.event.body.type}`;
  const { activity } = item;
  return 'text' in activity ? `${activity.kind} ${activity.text}` : activity.kind;
}

function report(at: FixProgress['at'], attemptId: string | null = 'a1'): void {
  hub.report({ sessionId: 's1', attemptId, attempt: 1, at });
}

function delta(step: number, text: string): void {
  report({ kind: 'delta', step, delta: { kind: 'content', text } });
}

test('all after a number and what comes, in order, once; of one session only that', async () => {
  begin(store, 's1', 'a1');
  begin(store, 's2', 'b1');
  const all = listen(2);
  const one = listen(0, 's2');
  const now = listen(null);
  expect((await all.take(3)).map(shown)).toEqual([
    'from 2',
    '3 session.created',
    '4 attempt.started',
  ]);
  const next = now.take(2);
  for (let step = 1; step <= 40; step += 1) store.append(sample('step.finished', { step }));
  store.append(sample('note', {}, { sessionId: 's2', attemptId: 'b1' }));
  expect((await next).map(shown)).toEqual(['from 4', '5 step.finished']);
  const numbers = (await all.take(41)).flatMap((item) =>
    item.kind === 'event' ? [item.event.number] : [],
  );
  expect(numbers).toEqual(Array.from({ length: 41 }, (_, index) => index + 5));
  expect((await one.take(4)).map(shown)).toEqual([
    'from 0',
    '3 session.created',
    '4 attempt.started',
    '45 note',
  ]);
});

test('a number beyond the newest, as of another data folder, does not keep events back', async () => {
  begin(store, 's1', 'a1');
  const live = listen(999);
  const taken = live.take(2);
  store.append(sample('note'));
  expect((await taken).map(shown)).toEqual(['from 2', '3 note']);
});

test('what another connection writes comes too, without a gap beside our own', async () => {
  begin(store, 's1', 'a1');
  const live = listen(null);
  await live.take(1);
  const other = openStore(file);
  const taken = live.take(6);
  for (let n = 0; n < 3; n += 1) {
    other.append(sample('note'));
    store.append(sample('note'));
  }
  expect((await taken).map(shown)).toEqual([3, 4, 5, 6, 7, 8].map((number) => `${number} note`));
  other.append(sample('step.finished'));
  expect((await live.take(1)).map(shown)).toEqual(['9 step.finished']);
  other.close();
});

test('pieces that nobody took become one; what an event tells whole is not told again', async () => {
  begin(store, 's1', 'a1');
  const live = listen(null);
  await live.take(1);
  report({ kind: 'model', step: 1 });
  for (const text of ['The ', 'total ', 'is wrong']) delta(1, text);
  report({ kind: 'delta', step: 1, delta: { kind: 'call', index: 0, name: 'Edit', text: '{"a"' } });
  report({ kind: 'delta', step: 1, delta: { kind: 'call', index: 0, name: 'Edit', text: ':1}' } });
  report({ kind: 'delta', step: 1, delta: { kind: 'call', index: 1, name: 'Read', text: '{}' } });
  expect((await live.take(3)).map(shown)).toEqual([
    'model',
    'delta The total is wrong',
    'delta Edit {"a":1}\nRead {}',
  ]);
  report({ kind: 'tool', step: 1, name: 'Edit', summary: 'a.py' });
  store.append(sample('step.finished', { step: 1 }));
  report({ kind: 'model', step: 2 });
  expect((await live.take(2)).map(shown)).toEqual(['3 step.finished', 'model']);
  delta(2, 'half of ');
  report({ kind: 'delta', step: 2, delta: { kind: 'restart', reason: 'the server ended' } });
  delta(2, 'again');
  expect((await live.take(2)).map(shown)).toEqual(['restart', 'delta again']);
});

test('one who comes in the middle of a step sees the whole of it, and nothing that is over', async () => {
  begin(store, 's1', 'a1');
  report({ kind: 'phase', text: 'opening a workspace' });
  report({ kind: 'model', step: 1 });
  delta(1, 'over');
  store.append(sample('step.finished', { step: 1 }));
  report({ kind: 'model', step: 2 });
  delta(2, 'half');
  expect((await listen(null).take(3)).map(shown)).toEqual(['from 3', 'model', 'delta half']);
  const other = listen(null, 's2');
  expect((await other.take(1)).map(shown)).toEqual(['from 3']);
  hub.forget('s1');
  const late = listen(2);
  expect((await late.take(2)).map(shown)).toEqual(['from 2', '3 step.finished']);
});

test('memory is told about once a second, the newest look', async () => {
  begin(store, 's1', 'a1');
  const live = listen(null);
  await live.take(1);
  for (let n = 1; n <= 5; n += 1) report({ kind: 'memory', workspaceBytes: n, modelBytes: null });
  delta(1, 'x');
  const items = await live.take(2);
  expect(items.map(shown)).toEqual(['memory', 'delta x']);
  expect(items[0]).toMatchObject({ activity: { workspaceBytes: 1 } });
});

test('a listener that does not take holds little: events stay in the store, text is bounded', async () => {
  begin(store, 's1', 'a1');
  const live = listen(null);
  await live.take(1);
  const piece = 'x'.repeat(1024);
  for (let n = 0; n < 2_000; n += 1) delta(1, piece);
  const [item] = await live.take(1);
  expect(item === undefined ? 0 : shown(item).length).toBeLessThan(300_000);
});

test('it ends at the signal, when it is closed, and when whoever takes stops', async () => {
  begin(store, 's1', 'a1');
  const stopped = listen(null);
  const waiting = stopped.take(5);
  stopped.stop.abort();
  expect((await waiting).map(shown)).toEqual(['from 2']);
  const left = listen(0);
  await left.take(2);
  expect(await left.stream.return({})).toEqual({ done: true, value: {} });
  const closed = listen(null);
  const last = closed.take(5);
  hub.close();
  expect((await last).map(shown)).toEqual(['from 2']);
});

test('an event of ours is told within milliseconds', async () => {
  begin(store, 's1', 'a1');
  const live = listen(null);
  await live.take(1);
  const times: number[] = [];
  for (let n = 0; n < 100; n += 1) {
    const next = live.take(1);
    await new Promise((resolve) => setImmediate(resolve));
    store.append(sample('note'));
    const began = performance.now();
    await next;
    times.push(performance.now() - began);
  }
  // The reach is 50 ms for the 95th of 100; half of them says that nothing waits for a timer.
  expect(times.toSorted((a, b) => a - b)[49]).toBeLessThan(25);
});
