import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createAccess, KNOWN_FOR_MS } from './access.ts';
import type { KnownBrowser } from './browser-file.ts';
import { ask, createTestServer, openSocket, type TestServer } from './testing.ts';

const run = promisify(execFile);

let server: TestServer;
let cookie: string;
let file: string;

beforeEach(async () => {
  server = await createTestServer();
  const { home } = server;
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  cookie = await server.login();
  file = path.join(home, 'serve', `${server.port}.browsers.json`);
});

afterEach(() => server.close());

/** The same server again, as after its end. */
async function restart(options: { newLink?: boolean } = {}): Promise<void> {
  const { home, port } = server;
  await server.close();
  server = await createTestServer({}, { home, port, ...options });
}

const status = async (): Promise<number> =>
  (await ask(server.port, { path: '/session', headers: { cookie } })).status;

test('a page that was open comes back when the server is started again on its port', async () => {
  const used = server.link();
  await restart();
  expect(await status()).toBe(204);
  const headers = { cookie, origin: `http://127.0.0.1:${server.port}` };
  const { socket } = await openSocket(server.port, headers);
  socket.terminate();
  // A link that was printed before is as worthless as one that was used.
  const old = await ask(server.port, { path: used.replace(/^.*\//, '/') });
  expect(old.status).toBe(401);
});

test('the data folder holds nothing that lets anybody in', async () => {
  const [, secret = ''] = cookie.split('=');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const [kept] = JSON.parse(readFileSync(file, 'utf8')) as KnownBrowser[];
  expect(kept?.hash).toMatch(/^[0-9a-f]{64}$/);
  for (const name of readdirSync(path.dirname(file))) {
    expect(readFileSync(path.join(path.dirname(file), name), 'utf8')).not.toContain(secret);
  }
  const stolen = { cookie: `vivarium_${server.port}=${kept?.hash}` };
  expect((await ask(server.port, { headers: stolen })).status).toBe(401);
});

test('a browser is known on its port only', async () => {
  const { home } = server;
  const other = await createTestServer({}, { home });
  onTestFinished(() => other.close());
  const [, secret = ''] = cookie.split('=');
  const moved = { cookie: `vivarium_${other.port}=${secret}` };
  writeFileSync(file.replace(`${server.port}.`, `${other.port}.`), readFileSync(file));
  expect((await ask(other.port, { path: '/session', headers: moved })).status).toBe(401);
  const { port } = other;
  await other.close();
  const copied = await createTestServer({}, { home, port });
  onTestFinished(() => copied.close());
  expect((await ask(port, { path: '/session', headers: moved })).status).toBe(401);
});

test('--new-link forgets who was known', async () => {
  await restart({ newLink: true });
  expect(await status()).toBe(401);
  cookie = await server.login();
  expect(await status()).toBe(204);
});

test('a damaged file lets nobody in and stops nothing', async () => {
  writeFileSync(file, '[{"hash": "x", "user": 0, "expiresAt": 9e15}]');
  await restart();
  expect(await status()).toBe(401);
  writeFileSync(file, '{');
  await restart();
  expect(await status()).toBe(401);
});

const asRoot = process.platform === 'linux' && process.getuid?.() === 0;

test.runIf(asRoot)('a cookie that another user of the machine got hold of is refused', async () => {
  const script = `fetch('http://127.0.0.1:${server.port}/session', { headers: { cookie: '${cookie}' } })
    .then((answer) => console.log(answer.status));`;
  const asked = async (uid: number): Promise<string> =>
    (await run(process.execPath, ['-e', script], { uid, cwd: '/' })).stdout.trim();
  expect([await asked(0), await asked(65_534)]).toEqual(['204', '401']);
  await restart();
  expect([await asked(0), await asked(65_534)]).toEqual(['204', '401']);
});

test('who does not come for 7 days is forgotten; coming again counts', () => {
  let now = 1_000;
  let kept: KnownBrowser[] = [];
  let writes = 0;
  const access = createAccess({
    scope: '127.0.0.1:1',
    browsers: {
      read: () => kept,
      write: (browsers) => {
        kept = [...browsers];
        writes += 1;
      },
    },
    onChange: () => undefined,
    now: () => now,
  });
  const redeemed = access.redeem(access.token(), { counts: true, user: 7 });
  if (redeemed.state !== 'accepted') throw new Error(redeemed.state);
  const isKnown = (user: number | null): boolean => access.isKnown(redeemed.cookie, () => user);
  expect([isKnown(7), isKnown(8), isKnown(null)]).toEqual([true, false, false]);
  now += KNOWN_FOR_MS - 1;
  expect(isKnown(7)).toBe(true);
  expect([kept[0]?.expiresAt, writes]).toEqual([now + KNOWN_FOR_MS, 2]);
  now += KNOWN_FOR_MS - 1;
  expect(isKnown(7)).toBe(true);
  now += KNOWN_FOR_MS;
  expect(isKnown(7)).toBe(false);
});
