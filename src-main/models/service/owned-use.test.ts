import { expect, test } from 'vitest';
import { endedError, useOwned } from './owned-use.ts';
import { FAILED, ownedServer, statusOf } from './testing.ts';

const PARTS = { memoryBytes: () => Promise.resolve(5), release: () => Promise.resolve() };
const LOADING = statusOf('loading', { address: null });

test('a server that answers is reached at once, and a request is counted', async () => {
  const server = ownedServer(statusOf('ready'));
  const use = useOwned(server, PARTS);
  const end = use.begin();
  expect(server.running()).toBe(1);
  const life = await use.reach(undefined);
  expect([life.access.root, life.status.state]).toEqual(['http://127.0.0.1:1', 'ready']);
  server.become(statusOf('busy'));
  expect(life.down.aborted).toBe(false);
  end();
  expect([server.running(), await use.memoryBytes()]).toEqual([0, 5]);
});

test('its life ends when it restarts or moves, and it is reached again when it is back', async () => {
  const server = ownedServer(statusOf('ready'));
  const use = useOwned(server, PARTS);
  const first = await use.reach(undefined);
  server.become(LOADING);
  expect(first.down.aborted).toBe(true);
  const again = use.reach(undefined);
  server.become(statusOf('ready', { address: 'http://127.0.0.1:2' }));
  const second = await again;
  expect(second.access.root).toBe('http://127.0.0.1:2');
  server.become(statusOf('ready', { address: 'http://127.0.0.1:3' }));
  expect(second.down.aborted).toBe(true);
});

test('one that ends for good while it is waited for: cause and remedy are the error', async () => {
  const server = ownedServer(LOADING);
  const waiting = useOwned(server, PARTS).reach(undefined);
  server.become(FAILED);
  await expect(waiting).rejects.toMatchObject({
    code: 'engine_failed',
    message: 'the server of frog failed: the GPU has too little memory',
    next: 'Use a smaller context.',
  });
  for (const state of ['stopped', 'stopping', 'lost', 'failed'] as const) {
    const over = useOwned(ownedServer(statusOf(state)), PARTS).reach(undefined);
    await expect(over).rejects.toMatchObject({ code: 'server_not_running' });
  }
});

test("the caller's abort ends the wait with its own reason", async () => {
  const cancel = new AbortController();
  const use = useOwned(ownedServer(LOADING), PARTS);
  const waiting = use.reach(cancel.signal);
  cancel.abort(new Error('Ctrl-C'));
  await expect(waiting).rejects.toThrow('Ctrl-C');
  await expect(use.reach(cancel.signal)).rejects.toThrow('Ctrl-C');
});

test('how a server ended, in words', () => {
  const told = (status: Parameters<typeof endedError>[0]) => {
    const { code, message, next } = endedError(status);
    return { code, message, next };
  };
  expect(told(statusOf('stopped', { logFile: '/h/server.log' }))).toEqual({
    code: 'server_not_running',
    message: 'the server of frog was stopped',
    next: 'Start it again with `vivarium models start frog`.',
  });
  const gone = 'the server of frog is gone: its process or its owner was ended from outside';
  expect(told(statusOf('lost', { logFile: '/h/server.log' }))).toEqual({
    code: 'server_not_running',
    message: gone,
    next: 'Its log is /h/server.log; start it again with `vivarium models start frog`.',
  });
  expect(told(statusOf('lost')).next).toBe('Start it again with `vivarium models start frog`.');
});
