import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createCore, type Core } from '../../src-main/core/index.ts';
import { startServer, type Serving } from '../../src-main/doors/serve/index.ts';
import { STREAM_WINDOW } from '../../src-main/contract/index.ts';
import { processIdentity } from '../../src-main/lib/index.ts';
import { openStore, type Store } from '../../src-main/store/index.ts';
import { createClient } from '../../src-renderer/api/create-client.ts';
import type { Client } from '../../src-renderer/api/types.ts';
import { cookieOf, nodeTransport, type NodeTransport } from './node-transport.ts';

let home: string;
let core: Core;
let server: Serving;
let transport: NodeTransport;
let client: Client;
/** As another process on the same home has it: a CLI run that the page watches. */
let other: Store;
const faults: unknown[] = [];

const SESSION = 'watched';
const CREATED = {
  type: 'session.created',
  ...{ repository: '/home/ann/shop', title: 'Totals', issue: 'Totals are off by one.' },
  model: {
    ...{ engine: 'scripted', name: 'sample', spec: 'script:replies.jsonl' },
    ...{ contextTokens: null, sha256: null, details: {} },
  },
  scaffold: { name: 'leaf', hash: 'h', file: null },
  request: {},
  limits: { memoryBytes: 1, cpus: 1, pids: 1, diskBytes: 1, inodes: 1 },
  owner: processIdentity(),
} as const;

beforeEach(async () => {
  home = mkdtempSync(path.join(os.tmpdir(), 'live-'));
  core = createCore({ home, env: {} });
  server = await startServer({
    ...{ home, handlers: core.handlers, port: 0, renderer: home },
    onFault: (name, thrown) => void faults.push([name, thrown]),
    onLocked: () => undefined,
  });
  transport = nodeTransport(server.port, await cookieOf(server.link()));
  client = createClient({ connect: transport.connect });
  other = openStore(path.join(home, 'vivarium.db'));
  other.append({ sessionId: SESSION, attemptId: null, body: CREATED });
});

afterEach(async () => {
  client.close();
  other.close();
  await server.close();
  await core.close();
  rmSync(home, { recursive: true, force: true });
});

function append(text: string): void {
  const body = { type: 'note', level: 'info', text } as const;
  other.append({ sessionId: SESSION, attemptId: null, body });
}

it('a page whose connection is cut again and again sees every event once, in order', async () => {
  const COUNT = 400;
  let cuts = 0;
  const seen: string[] = [];
  const stop = new AbortController();
  const reading = (async () => {
    for await (const item of client.stream('live', { after: null }, { signal: stop.signal })) {
      if (item.kind === 'event' && item.event.body.type === 'note') seen.push(item.event.body.text);
    }
  })().catch((error: unknown) => error);
  await vi.waitFor(() => expect(transport.opened()).toBe(1));
  // From now on means from the subscription on: it has to have arrived.
  await client.call('settings/get', {});
  for (let n = 0; n < COUNT; n += 1) {
    append(`note ${n}`);
    if (n % 80 === 7) {
      // Of a connection that is there: what is appended meanwhile falls into the gap before the next.
      await vi.waitFor(() => expect(transport.opened()).toBe(cuts + 1), { timeout: 15_000 });
      transport.cut();
      cuts += 1;
    }
    if (n % 4 === 0) await delay(2);
  }
  await vi.waitFor(() => expect(seen.length).toBeGreaterThanOrEqual(COUNT), { timeout: 15_000 });
  stop.abort();
  expect(await reading).toMatchObject({ code: 'cancelled' });
  expect([cuts, transport.opened()]).toEqual([5, 6]);
  expect(seen).toEqual(Array.from({ length: COUNT }, (_, n) => `note ${n}`));
  expect(faults).toEqual([]);
});

it('a page that stops reading is sent one window, and then gets all', async () => {
  const live = client.stream('live', { after: 0 });
  for (let n = 0; n < 1_000; n += 1) append(`note ${n}`);
  const seen: string[] = [];
  const take = async (): Promise<void> => {
    const next = await live.next();
    if (
      next.done !== true &&
      next.value.kind === 'event' &&
      next.value.event.body.type === 'note'
    ) {
      seen.push(next.value.event.body.text);
    }
  };
  await take();
  await vi.waitFor(() => expect(transport.received()).toBe(STREAM_WINDOW));
  await delay(50);
  expect(transport.received()).toBe(STREAM_WINDOW);
  while (seen.length < 1_000) await take();
  expect(seen).toEqual(Array.from({ length: 1_000 }, (_, n) => `note ${n}`));
});

it('answers from the real core: its data, its errors', async () => {
  expect(await client.call('about', {})).toMatchObject({ home });
  await client.call('drafts/set', { key: 'new', text: 'half a sentence' });
  expect(await client.call('drafts/get', { key: 'new' })).toEqual({ text: 'half a sentence' });
  expect(await client.call('sessions/list', {})).toMatchObject({
    rows: [{ sessionId: SESSION, state: 'running', stoppable: false }],
    total: 1,
  });
  await expect(client.call('sessions/get', { session: 'nope' })).rejects.toMatchObject({
    name: 'CallError',
    code: 'session_not_found',
  });
});
