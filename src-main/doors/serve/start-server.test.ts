import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MAX_WRONG_TOKENS } from './access.ts';
import { startServer } from './start-server.ts';
import { ask, createTestServer, openSocket, type TestServer } from './testing.ts';

let server: TestServer;

afterEach(() => server.dispose());

const tokenPath = (): string => server.link().replace(/^http:\/\/[^/]+/, '');
const origin = (): string => `http://127.0.0.1:${server.port}`;

describe('the link', () => {
  it('is exchanged for a cookie and leaves the address', async () => {
    server = await createTestServer();
    expect(server.link()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/);
    const { status, headers, body } = await ask(server.port, { path: tokenPath() });
    expect({ status, location: headers.location, body }).toEqual({
      ...{ status: 303, location: '/', body: '' },
    });
    expect(headers['set-cookie']?.[0]).toMatch(
      new RegExp(`^vivarium_${server.port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
    );
  });

  it('is good once; the file then holds another, for this user only', async () => {
    server = await createTestServer();
    const first = tokenPath();
    expect(statSync(server.linkFile).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(server.linkFile)).mode & 0o777).toBe(0o700);
    await server.login();
    const again = await ask(server.port, { path: first });
    expect(again.status).toBe(401);
    expect(again.body).toContain(server.linkFile);
    const [second = ''] = readFileSync(server.linkFile, 'utf8').split('\n');
    expect(second).toBe(server.link());
    expect(second).not.toContain(first);
    expect((await ask(server.port, { path: tokenPath() })).status).toBe(303);
  });

  it('leads a browser that is known on, without being used up', async () => {
    server = await createTestServer();
    const cookie = await server.login();
    const before = server.link();
    const used = await ask(server.port, { path: '/?token=old', headers: { cookie } });
    expect(used.status).toBe(303);
    expect(used.headers['set-cookie']).toBeUndefined();
    expect(server.link()).toBe(before);
  });

  it('followed from another page goes on by itself, since a redirect would lose the cookie', async () => {
    server = await createTestServer();
    const { status, headers } = await ask(server.port, {
      path: tokenPath(),
      headers: {
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
      },
    });
    expect({ status, refresh: headers['refresh'] }).toEqual({ status: 200, refresh: '0; url=/' });
    expect(headers['set-cookie']).toHaveLength(1);
  });

  it('is not taken any more after too many wrong ones; who is known stays', async () => {
    server = await createTestServer();
    const cookie = await server.login();
    for (let tries = 0; tries < MAX_WRONG_TOKENS; tries += 1) {
      expect((await ask(server.port, { path: `/?token=${tries}` })).status).toBe(401);
    }
    expect((await ask(server.port, { path: tokenPath() })).status).toBe(429);
    expect(server.locked()).toBe(1);
    expect(existsSync(server.linkFile)).toBe(false);
    expect((await ask(server.port, { headers: { cookie } })).status).toBe(200);
  });

  it('wrong ones that other sites send count for nothing', async () => {
    server = await createTestServer();
    const headers = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    for (let tries = 0; tries < 2 * MAX_WRONG_TOKENS; tries += 1) {
      expect((await ask(server.port, { path: '/?token=x', headers })).status).toBe(401);
    }
    expect((await ask(server.port, { path: tokenPath() })).status).toBe(303);
  });
});

describe('requests', () => {
  it('without or with a wrong cookie get nothing', async () => {
    server = await createTestServer();
    const cookie = await server.login();
    const wrong = cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    for (const urlPath of ['/', '/session', '/assets/index-CHSs-2Kp.js', '/nothing']) {
      expect((await ask(server.port, { path: urlPath })).status).toBe(401);
      expect((await ask(server.port, { path: urlPath, headers: { cookie: wrong } })).status).toBe(
        401,
      );
    }
    expect((await ask(server.port, { path: '/session', headers: { cookie } })).status).toBe(204);
  });

  it('of foreign hosts, origins and sites are refused, with a good cookie too', async () => {
    server = await createTestServer();
    const cookie = await server.login();
    const refused: Record<string, string>[] = [
      { host: `evil.example:${server.port}` },
      { origin: 'http://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of refused) {
      expect((await ask(server.port, { headers: { cookie, ...headers } })).status).toBe(403);
      // Not even a good token is looked at.
      expect((await ask(server.port, { path: tokenPath(), headers })).status).toBe(403);
    }
    const own = { cookie, origin: origin() };
    expect((await ask(server.port, { method: 'POST', headers: { cookie } })).status).toBe(403);
    expect((await ask(server.port, { method: 'POST', headers: own })).status).toBe(405);
  });

  it('all get the security headers, none those of CORS', async () => {
    server = await createTestServer();
    const cookie = await server.login();
    const answers = await Promise.all([
      ask(server.port, { headers: { cookie } }),
      ask(server.port, { path: '/assets/index-CHSs-2Kp.js', headers: { cookie } }),
      ask(server.port, { path: '/nothing', headers: { cookie } }),
      ask(server.port, {}),
      ask(server.port, { headers: { origin: 'http://evil.example' } }),
      ask(server.port, { method: 'OPTIONS', headers: { origin: 'http://evil.example' } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 401, 403, 403]);
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'content-security-policy': expect.stringContaining("default-src 'none'; script-src 'self'"),
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
      expect(Object.keys(headers).filter((name) => name.includes('allow-origin'))).toEqual([]);
    }
    const cache = answers.map(({ headers }) => headers['cache-control']);
    expect(cache.slice(0, 3)).toEqual([
      'no-store',
      'private, max-age=31536000, immutable',
      'no-store',
    ]);
  });

  it.each(['/../secret.txt', '/%2e%2e/secret.txt', '/..%2f..%2fetc/passwd', '//etc/passwd'])(
    'out of the folder find nothing: %s',
    async (urlPath) => {
      server = await createTestServer();
      const cookie = await server.login();
      expect((await ask(server.port, { path: urlPath, headers: { cookie } })).status).toBe(404);
    },
  );

  it('say what to do when the pages are not built', async () => {
    server = await createTestServer();
    const cookie = await server.login();
    rmSync(path.join(server.home, 'renderer'), { recursive: true });
    const { status, body } = await ask(server.port, { headers: { cookie } });
    expect(status).toBe(503);
    expect(body).toContain('npm run build');
  });
});

describe('sockets', () => {
  it.each<[string, (own: { cookie: string; origin: string }) => Record<string, string>, number]>([
    ['no cookie', ({ origin }) => ({ origin }), 401],
    ['a wrong cookie', ({ origin, cookie }) => ({ origin, cookie: `${cookie}x` }), 401],
    ['no origin', ({ cookie }) => ({ cookie }), 403],
    ['a foreign origin', ({ cookie }) => ({ cookie, origin: 'http://evil.example' }), 403],
    ['a foreign host', (own) => ({ ...own, host: 'evil.example' }), 403],
    ['a foreign site', (own) => ({ ...own, 'sec-fetch-site': 'same-site' }), 403],
  ])('%s is refused', async (_, headersOf, status) => {
    server = await createTestServer();
    const headers = headersOf({ cookie: await server.login(), origin: origin() });
    await expect(openSocket(server.port, headers)).rejects.toThrow(`refused with ${status}`);
  });

  it('open only where the channel is', async () => {
    server = await createTestServer();
    const headers = { cookie: await server.login(), origin: origin() };
    await expect(openSocket(server.port, headers, '/')).rejects.toThrow('refused with 404');
  });

  it('answer calls, side by side', async () => {
    server = await createTestServer({ 'drafts/get': async ({ key }) => ({ text: key }) });
    const headers = { cookie: await server.login(), origin: origin() };
    const sockets = await Promise.all([1, 2, 3].map(() => openSocket(server.port, headers)));
    for (const { socket, frames } of sockets) {
      socket.send(JSON.stringify({ type: 'call', id: 1, name: 'drafts/get', input: { key: 'k' } }));
      await vi.waitFor(() => expect(frames).toHaveLength(1));
      expect(frames).toEqual(['{"type":"result","id":1,"output":{"text":"k"}}']);
    }
  });

  it('write no file for a page, wherever it says', async () => {
    const written = vi.fn(async () => ({ files: [], command: null }));
    server = await createTestServer({ 'review/export': written });
    const headers = { cookie: await server.login(), origin: origin() };
    const { socket, frames } = await openSocket(server.port, headers);
    const input = { session: 's', format: 'patch', out: server.home };
    socket.send(JSON.stringify({ type: 'call', id: 1, name: 'review/export', input }));
    await vi.waitFor(() => expect(frames).toHaveLength(1));
    expect(frames[0]).toContain('"code":"out_unwritable"');
    expect(written).not.toHaveBeenCalled();
  });

  it('that are not read stop the stream behind them, and hold no more than the system does', async () => {
    let made = 0;
    const line = 'x'.repeat(1_000_000);
    server = await createTestServer({
      async *'environment/buildImage'() {
        for (; made < 200; made += 1) yield { line };
        return { reference: 'done' };
      },
    });
    const headers = { cookie: await server.login(), origin: origin() };
    const { socket, frames } = await openSocket(server.port, headers);
    socket.pause();
    const call = { type: 'call', id: 1, name: 'environment/buildImage', input: {} };
    socket.send(JSON.stringify(call));
    await vi.waitFor(() => expect(made).toBeGreaterThan(0));
    let before = -1;
    while (before !== made) {
      before = made;
      await delay(100);
    }
    expect(made).toBeLessThan(50);
    socket.resume();
    await vi.waitFor(() => expect(frames).toHaveLength(201), { timeout: 15_000 });
  });

  it('end with an oversized frame, or one that is not text', async () => {
    server = await createTestServer();
    const headers = { cookie: await server.login(), origin: origin() };
    const big = await openSocket(server.port, headers);
    big.socket.send('x'.repeat(13 * 1024 * 1024));
    expect(await big.closed).toBe(1009);
    const binary = await openSocket(server.port, headers);
    binary.socket.send(Buffer.from('{}'));
    expect(await binary.closed).toBe(1003);
  });

  it('tell a frame that is too long for the contract, and go on', async () => {
    server = await createTestServer();
    const headers = { cookie: await server.login(), origin: origin() };
    const { socket, frames } = await openSocket(server.port, headers);
    socket.send('x'.repeat(5 * 1024 * 1024));
    socket.send('{"type":"ping"}');
    await vi.waitFor(() => expect(frames).toHaveLength(2));
    expect(JSON.parse(frames[0] ?? '')).toMatchObject({ id: null, error: { code: 'bad_request' } });
    expect(frames[1]).toBe('{"type":"pong"}');
  });
});

describe('the end', () => {
  it('closes sockets, frees the port and removes the link', async () => {
    server = await createTestServer();
    const headers = { cookie: await server.login(), origin: origin() };
    const { closed } = await openSocket(server.port, headers);
    const began = performance.now();
    await server.close();
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(await closed).toBe(1001);
    expect(existsSync(server.linkFile)).toBe(false);
    await expect(ask(server.port, {})).rejects.toThrow('ECONNREFUSED');
  });

  it('a port that is taken is told as such', async () => {
    server = await createTestServer();
    const { port, home } = server;
    const more = { home, port, handlers: {}, renderer: home };
    await expect(
      startServer({ ...more, onFault: () => undefined, onLocked: () => undefined }),
    ).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining(`port ${port}`) });
  });
});
