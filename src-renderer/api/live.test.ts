import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveActivity, LiveItem, StoredEvent } from '../../src-main/contract/index.ts';
import { createClient } from './create-client.ts';
import { sessionEventsKey, type SessionEvents } from './live-cache.ts';
import { createLive, type Live } from './live.ts';
import { createTestTransport } from './testing.ts';
import type { Client } from './types.ts';

let client: Client;
let queries: QueryClient;
let live: Live;
let give: (...items: LiveItem[]) => Promise<void>;
let frame: () => void;

beforeEach(() => {
  const frames: Array<() => void> = [];
  vi.stubGlobal('requestAnimationFrame', (then: () => void) => frames.push(then));
  frame = () => frames.splice(0).forEach((then) => then());
  const { connect, connections } = createTestTransport();
  client = createClient({ connect });
  queries = new QueryClient();
  live = createLive(client, queries);
  // Ended with the client.
  live.run(new AbortController().signal).catch(() => undefined);
  give = async (...items) => {
    for (const item of items) connections[0]?.send({ type: 'item', id: 1, item });
    await new Promise((resolve) => setImmediate(resolve));
  };
  connections[0]?.open();
});

afterEach(() => {
  client.close();
  vi.unstubAllGlobals();
});

function activity(attempt: number, of: LiveActivity): LiveItem {
  const attemptId = `s.${attempt}`;
  return { kind: 'activity', sessionId: 's', attemptId, attempt, at: 5, activity: of };
}

function note(number: number, sessionId = 's'): StoredEvent {
  const body = { type: 'note', level: 'info', text: `note ${number}` } as const;
  return { number, sessionId, attemptId: null, at: 0, body };
}

const told = (event: StoredEvent): LiveItem => ({ kind: 'event', event });
const numbers = (record: SessionEvents | undefined) => record?.events.map(({ number }) => number);

describe('what the page follows', () => {
  it('applies at once what comes alone, and the rest of a frame with the next', async () => {
    queries.setQueryData(sessionEventsKey('s'), { events: [], last: 0 });
    const known = () => numbers(queries.getQueryData(sessionEventsKey('s')));
    await give(told(note(1)));
    expect(known()).toEqual([1]);
    await give(told(note(2)), told(note(3)));
    expect(known()).toEqual([1]);
    frame();
    expect(known()).toEqual([1, 2, 3]);
  });

  it('keeps attempts of a session apart that run at once', async () => {
    await give(
      activity(1, { kind: 'delta', step: 4, part: 'content', text: 'one' }),
      activity(2, { kind: 'delta', step: 1, part: 'content', text: 'two' }),
      activity(1, { kind: 'delta', step: 4, part: 'content', text: ' more' }),
    );
    frame();
    expect(live.activity('s', 1)).toMatchObject({ step: 4, content: 'one more' });
    expect(live.activity('s', 2)).toMatchObject({ step: 1, content: 'two' });
    expect(live.activity('s', null)).toMatchObject({ attempt: 1 });
    expect(live.activity('s', 3)).toBeUndefined();
  });

  it('joins what is read of a record with what comes meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<SessionEvents>();
    const read = live.catchUp('s', () => promise);
    await give(told(note(2)), told(note(3, 'other')), told(note(4)));
    frame();
    resolve({ events: [note(1), note(2)], last: 3 });
    expect(numbers(await read)).toEqual([1, 2, 4]);
  });
});
