import { once } from 'node:events';
import net from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { MAX_PASSING } from './bound-connections.ts';
import { ask, createTestServer, openSocket, type TestServer } from './testing.ts';

let server: TestServer;
let held: net.Socket[] = [];

afterEach(async () => {
  for (const socket of held) socket.destroy();
  held = [];
  await server.dispose();
});

/** A client that says this and then holds its connection, its own half of it included. */
async function hold(text: string): Promise<net.Socket> {
  const socket = net.connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
  held.push(socket);
  socket.on('error', () => undefined);
  socket.resume();
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

describe('many connections', () => {
  it.each([
    ['that say nothing', ''],
    ['that never finish what they ask', 'GET / HTTP/1.1\r\nHost: 127'],
    ['whose requests are answered', 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
    [
      'whose upgrades are refused',
      'GET /rpc HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ],
  ])('%s keep nobody out, and end no channel that is open', async (_name, text) => {
    server = await createTestServer();
    const cookie = await server.login();
    const headers = { cookie, origin: `http://127.0.0.1:${server.port}` };
    const channel = await openSocket(server.port, headers);
    for (let count = 0; count < MAX_PASSING + 20; count += 1) await hold(text);
    expect((await ask(server.port, { headers: { cookie } })).status).toBe(200);
    const another = await openSocket(server.port, headers);
    for (const { socket, frames } of [channel, another]) {
      socket.send('{"type":"ping"}');
      await expect.poll(() => frames).toEqual(['{"type":"pong"}']);
    }
  });

  it('end the one that was silent for longest', async () => {
    server = await createTestServer();
    const first = await hold('');
    const ended = once(first, 'end');
    for (let count = 0; count < MAX_PASSING - 1; count += 1) await hold('');
    expect(first.readableEnded).toBe(false);
    await hold('');
    await ended;
  });

  it('that were refused an upgrade are ended, whatever their client does', async () => {
    server = await createTestServer();
    const refused = await hold(
      'GET /rpc HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    if (!refused.readableEnded) await once(refused, 'end');
    // Writing into what the other side has let go of fails; into a half-open one it does not.
    const failed = once(refused, 'error');
    const writing = setInterval(() => refused.write('x'), 20);
    const [fault] = (await failed) as [NodeJS.ErrnoException];
    clearInterval(writing);
    expect(['ECONNRESET', 'EPIPE']).toContain(fault.code);
  });
});
