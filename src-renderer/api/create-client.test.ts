import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_OPEN_CALLS, STREAM_WINDOW, type StoredEvent } from '../../src-main/contract/index.ts';
import { createClient } from './create-client.ts';
import { createTestTransport, type TestConnection } from './testing.ts';
import type { Client } from './types.ts';

let client: Client;
let connections: TestConnection[];

beforeEach(() => {
  vi.useFakeTimers();
  const transport = createTestTransport();
  ({ connections } = transport);
  client = createClient({ connect: transport.connect });
});

afterEach(() => {
  client.close();
  vi.useRealTimers();
});

/** The newest connection. */
function core(): TestConnection {
  const connection = connections.at(-1);
  if (connection === undefined) throw new Error('nothing was connected');
  return connection;
}

/** Waits out the back-off, and opens the connection that comes then. */
async function comeBack(): Promise<void> {
  const before = connections.length;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(connections.length).toBeGreaterThan(before);
  core().open();
  await vi.advanceTimersByTimeAsync(0);
}

const failure = (code: string) => expect.objectContaining({ name: 'CallError', code });

function eventOf(number: number): StoredEvent {
  const body = { type: 'note', level: 'info', text: `note ${number}` } as const;
  return { number, sessionId: 's', attemptId: null, at: 0, body };
}

describe('calls', () => {
  it('wait for the connection, then are sent and answered', async () => {
    const answer = client.call('drafts/get', { key: 'k' });
    expect(core().frames).toEqual([]);
    core().open();
    expect(core().frames).toEqual([
      { type: 'call', id: 1, name: 'drafts/get', input: { key: 'k' } },
    ]);
    core().send({ type: 'result', id: 1, output: { text: 'hello', more: 1 } });
    expect(await answer).toEqual({ text: 'hello' });
  });

  it('are rejected with what the core said', async () => {
    core().open();
    const answer = client.call('about', {});
    const error = { code: 'docker_missing', message: 'no docker', next: 'Install it.' } as const;
    core().send({ type: 'error', id: 1, error });
    await expect(answer).rejects.toMatchObject({ name: 'CallError', ...error });
  });

  it('are rejected when the answer is not what the contract says', async () => {
    core().open();
    const answer = client.call('drafts/get', { key: 'k' });
    core().send({ type: 'result', id: 1, output: { text: 5 } });
    await expect(answer).rejects.toEqual(failure('internal'));
  });

  it('are given up in time, and cancelled there', async () => {
    core().open();
    const answer = client.call('about', {}, { timeoutMs: 500 });
    const ended = answer.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(500);
    expect(await ended).toEqual(failure('timeout'));
    expect(core().frames.at(-1)).toEqual({ type: 'cancel', id: 1 });
  });

  it('are cancelled by the signal, sent or not', async () => {
    const stop = new AbortController();
    const unsent = client.call('about', {}, { signal: stop.signal });
    stop.abort();
    await expect(unsent).rejects.toEqual(failure('cancelled'));
    core().open();
    expect(core().frames).toEqual([]);
    await expect(client.call('about', {}, { signal: stop.signal })).rejects.toEqual(
      failure('cancelled'),
    );
  });

  it('never have more open than the core takes', async () => {
    core().open();
    const answers = Array.from({ length: MAX_OPEN_CALLS + 2 }, () =>
      client.call('drafts/get', { key: 'k' }),
    );
    expect(core().frames).toHaveLength(MAX_OPEN_CALLS);
    core().send({ type: 'result', id: 3, output: { text: null } });
    expect(core().frames).toHaveLength(MAX_OPEN_CALLS + 1);
    expect(await answers[2]).toEqual({ text: null });
    client.close();
    await Promise.allSettled(answers);
  });

  it('that are too long are not sent', async () => {
    core().open();
    const answer = client.call('repositories/inspect', { path: 'x'.repeat(5_000_000) });
    await expect(answer).rejects.toEqual(failure('bad_request'));
    expect(core().frames).toEqual([]);
  });
});

describe('a lost connection', () => {
  it('rejects what changes something, and asks again what only looks', async () => {
    core().open();
    const change = client.call('sessions/start', { repository: 'r', issue: 'i', model: 'm' });
    const look = client.call('drafts/get', { key: 'k' });
    const changed = change.catch((error: unknown) => error);
    core().lose();
    expect(await changed).toEqual(failure('connection_lost'));
    expect(client.connection.current()).toBe('lost');
    await comeBack();
    expect(client.connection.current()).toBe('open');
    expect(core().frames).toEqual([
      { type: 'call', id: 1, name: 'drafts/get', input: { key: 'k' } },
    ]);
    core().send({ type: 'result', id: 1, output: { text: 'still' } });
    expect(await look).toEqual({ text: 'still' });
  });

  it('is tried again with growing waits, told once', async () => {
    const states: string[] = [];
    client.connection.subscribe(() => states.push(client.connection.current()));
    core().open();
    const gaps: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      const before = connections.length;
      core().lose();
      let waited = 0;
      while (connections.length === before) {
        await vi.advanceTimersByTimeAsync(25);
        waited += 25;
      }
      gaps.push(waited);
    }
    const bounds = [100, 250, 500, 1_000, 2_000, 5_000];
    for (const [index, gap] of gaps.entries()) {
      expect(gap).toBeGreaterThanOrEqual((bounds[index] ?? 0) * 0.75);
      expect(gap).toBeLessThanOrEqual((bounds[index] ?? 0) * 1.25 + 25);
    }
    expect(states).toEqual(['open', 'lost']);
  });

  it('is noticed when nothing answers any more', async () => {
    core().open();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(core().frames).toEqual([{ type: 'ping' }]);
    core().send({ type: 'pong' });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(core().closedByClient()).toBe(false);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(connections[0]?.closedByClient()).toBe(true);
  });

  it('is given up when it speaks another language', async () => {
    core().open();
    core().sendText('{"type":"hello"}');
    expect(core().closedByClient()).toBe(true);
    expect(client.connection.current()).toBe('lost');
  });

  it('for ever, since the page is not known any more, rejects all', async () => {
    const answer = client.call('about', {});
    core().lose(true);
    await expect(answer).rejects.toEqual(failure('page_refused'));
    await expect(client.call('about', {})).rejects.toEqual(failure('page_refused'));
    expect(client.connection.current()).toBe('refused');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(connections).toHaveLength(1);
    await expect(client.stream('live', {}).next()).rejects.toEqual(failure('page_refused'));
  });
});

describe('streams', () => {
  it('give items in order, then the output', async () => {
    core().open();
    const lines = client.stream('environment/buildImage', {});
    const first = lines.next();
    await vi.advanceTimersByTimeAsync(0);
    core().send({ type: 'item', id: 1, item: { line: 'a' } });
    core().send({ type: 'item', id: 1, item: { line: 'b' } });
    core().send({ type: 'result', id: 1, output: { reference: 'r' } });
    expect(await first).toEqual({ done: false, value: { line: 'a' } });
    expect(await lines.next()).toEqual({ done: false, value: { line: 'b' } });
    expect(await lines.next()).toEqual({ done: true, value: { reference: 'r' } });
  });

  it('tell what was taken, not what came', async () => {
    core().open();
    const lines = client.stream('environment/buildImage', {});
    const first = lines.next();
    await vi.advanceTimersByTimeAsync(0);
    for (let n = 0; n < STREAM_WINDOW; n += 1)
      core().send({ type: 'item', id: 1, item: { line: '' } });
    await first;
    expect(core().frames).toHaveLength(1);
    for (let n = 1; n < STREAM_WINDOW / 4; n += 1) await lines.next();
    expect(core().frames.slice(1)).toEqual([{ type: 'taken', id: 1, count: STREAM_WINDOW / 4 }]);
  });

  it('are cancelled when nobody reads on', async () => {
    core().open();
    const lines = client.stream('environment/buildImage', {});
    const first = lines.next();
    await vi.advanceTimersByTimeAsync(0);
    core().send({ type: 'item', id: 1, item: { line: 'a' } });
    await first;
    await lines.return({ reference: '' });
    expect(core().frames.at(-1)).toEqual({ type: 'cancel', id: 1 });
  });

  it('end by the signal while they wait', async () => {
    core().open();
    const stop = new AbortController();
    const next = client.stream('environment/buildImage', {}, { signal: stop.signal }).next();
    await vi.advanceTimersByTimeAsync(0);
    stop.abort();
    await expect(next).rejects.toEqual(failure('cancelled'));
    expect(core().frames.at(-1)).toEqual({ type: 'cancel', id: 1 });
  });

  it('end with the connection, after what came before it', async () => {
    core().open();
    const lines = client.stream('environment/buildImage', {});
    const first = lines.next();
    await vi.advanceTimersByTimeAsync(0);
    core().send({ type: 'item', id: 1, item: { line: 'a' } });
    core().lose();
    expect(await first).toEqual({ done: false, value: { line: 'a' } });
    await expect(lines.next()).rejects.toEqual(failure('connection_lost'));
  });
});

describe('live', () => {
  it('goes on over losses with the number of the last event seen', async () => {
    core().open();
    const live = client.stream('live', { session: 's' });
    const first = live.next();
    await vi.advanceTimersByTimeAsync(0);
    expect(core().frames).toMatchObject([{ name: 'live', input: { after: null, session: 's' } }]);
    core().send({ type: 'item', id: 1, item: { kind: 'from', number: 7 } });
    // Lost before any event: the number it began with is what counts.
    core().lose();
    await comeBack();
    expect(core().frames).toMatchObject([{ name: 'live', input: { after: 7, session: 's' } }]);
    core().send({ type: 'item', id: 1, item: { kind: 'from', number: 7 } });
    core().send({ type: 'item', id: 1, item: { kind: 'event', event: eventOf(8) } });
    expect(await first).toMatchObject({ done: false, value: { event: { number: 8 } } });
    const second = live.next();
    await vi.advanceTimersByTimeAsync(0);
    core().lose();
    await comeBack();
    expect(core().frames).toMatchObject([{ name: 'live', input: { after: 8 } }]);
    core().send({ type: 'item', id: 1, item: { kind: 'event', event: eventOf(9) } });
    expect(await second).toMatchObject({ value: { event: { number: 9 } } });
  });

  it('asks again when the core that ended it is followed by another', async () => {
    core().open();
    const next = client.stream('live', { after: 3 }).next();
    await vi.advanceTimersByTimeAsync(0);
    core().send({ type: 'result', id: 1, output: {} });
    await vi.advanceTimersByTimeAsync(0);
    core().lose();
    await comeBack();
    expect(core().frames).toMatchObject([{ name: 'live', input: { after: 3 } }]);
    core().send({ type: 'item', id: 1, item: { kind: 'event', event: eventOf(4) } });
    expect(await next).toMatchObject({ value: { event: { number: 4 } } });
  });
});
