import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { chromium, type Browser, type BrowserContext } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type Serving } from '../../src-main/doors/serve/index.ts';

const CHROMIUM = process.env['VIVARIUM_CHROMIUM'] ?? '/usr/bin/chromium';

const PAGE = `<!doctype html><title>waiting</title>
<script>document.title = 'inline script ran';</script>
<style>body { color: rgb(1, 2, 3); }</style>
<body onload="document.title = 'handler ran'"><script type="module" src="./own.js"></script></body>`;

const OWN = `
window.violations = [];
document.addEventListener('securitypolicyviolation', (e) => window.violations.push(e.effectiveDirective));
try { new Function('document.title = "eval ran"')(); } catch {}
document.title = 'own script ran';`;

/** What a hostile page tries; each promise tells what came of it. */
const ATTACKS = (port: number): string => `(async () => {
  const at = 'http://127.0.0.1:${port}';
  const say = (promise) => promise.then(() => 'reached', () => 'refused');
  const tag = (name, key, value) => say(new Promise((resolve, reject) => {
    const element = document.createElement(name);
    element.onload = resolve; element.onerror = reject;
    element[key] = value; document.body.append(element);
  }));
  const socket = say(new Promise((resolve, reject) => {
    const one = new WebSocket('ws://127.0.0.1:${port}/rpc');
    one.onopen = resolve; one.onerror = reject;
  }));
  return {
    read: await say(fetch(at + '/', { credentials: 'include' })),
    post: await say(fetch(at + '/', { method: 'POST', credentials: 'include', headers: { 'x-a': '1' } })),
    script: await tag('script', 'src', at + '/own.js'),
    image: await tag('img', 'src', at + '/picture.png'),
    socket: await socket,
  };
})()`;

describe.skipIf(!existsSync(CHROMIUM))('pages in a real browser', () => {
  let home: string;
  let server: Serving;
  let hostile: Server;
  let browser: Browser;
  let context: BrowserContext;
  let calls = 0;

  beforeAll(async () => {
    home = mkdtempSync(path.join(os.tmpdir(), 'pages-'));
    const renderer = path.join(home, 'renderer');
    mkdirSync(renderer);
    writeFileSync(path.join(renderer, 'index.html'), PAGE);
    writeFileSync(path.join(renderer, 'own.js'), OWN);
    writeFileSync(path.join(renderer, 'picture.png'), 'no picture');
    server = await startServer({
      ...{ home, renderer, port: 0 },
      handlers: {
        'drafts/get': async () => {
          calls += 1;
          return { text: null };
        },
      },
      onFault: () => undefined,
      onLocked: () => undefined,
    });
    hostile = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end('<!doctype html><title>hostile</title><body></body>');
    }).listen(0, '127.0.0.1');
    await once(hostile, 'listening');
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
    context = await browser.newContext();
  }, 60_000);

  afterAll(async () => {
    await browser.close();
    await server.close();
    hostile.close();
    rmSync(home, { recursive: true, force: true });
  });

  it('the link opens the page, and leaves the address', async () => {
    const page = await context.newPage();
    await page.goto(server.link());
    expect(page.url()).toBe(`http://127.0.0.1:${server.port}/`);
    await page.reload();
    expect(page.url()).toBe(`http://127.0.0.1:${server.port}/`);
    // The cookie is nothing that a script can read.
    expect(await page.evaluate('document.cookie')).toBe('');
  });

  it('runs its own script, and nothing inline or by eval; its channel answers', async () => {
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${server.port}/`);
    // By its title alone: our own policy forbids what a function given as text needs.
    await expect.poll(() => page.title()).toBe('own script ran');
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(0, 0, 0)');
    expect(await page.evaluate('window.violations')).toContain('script-src');
    const answer = await page.evaluate(`new Promise((resolve, reject) => {
      const socket = new WebSocket('ws://' + location.host + '/rpc');
      const call = { type: 'call', id: 1, name: 'drafts/get', input: { key: 'k' } };
      socket.onopen = () => socket.send(JSON.stringify(call));
      socket.onmessage = ({ data }) => resolve(data);
      socket.onerror = reject;
    })`);
    expect(answer).toBe('{"type":"result","id":1,"output":{"text":null}}');
    expect(calls).toBe(1);
  });

  it.each(['127.0.0.1', 'localhost'])(
    'a page of another port on %s reaches nothing, although the browser has the cookie',
    async (name) => {
      const page = await context.newPage();
      const { port } = hostile.address() as AddressInfo;
      await page.goto(`http://${name}:${port}/`);
      expect(await page.evaluate(ATTACKS(server.port))).toEqual({
        ...{ read: 'refused', post: 'refused', script: 'refused', image: 'refused' },
        socket: 'refused',
      });
      expect(calls).toBe(1);
    },
  );

  it('cannot be put into a frame', async () => {
    const page = await context.newPage();
    const { port } = hostile.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.evaluate(`new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.onload = resolve;
      frame.src = 'http://127.0.0.1:${server.port}/';
      document.body.append(frame);
    })`);
    const titles = await Promise.all(page.frames().map((frame) => frame.title().catch(() => '')));
    expect(titles).not.toContain('own script ran');
  });

  it('a link followed from another site leads to the page', async () => {
    const fresh = await browser.newContext();
    const page = await fresh.newPage();
    const { port } = hostile.address() as AddressInfo;
    await page.goto(`http://localhost:${port}/`);
    await page.evaluate(`location.href = ${JSON.stringify(server.link())}`);
    // By its title alone: our own policy forbids what a function given as text needs.
    await expect.poll(() => page.title()).toBe('own script ran');
    expect(page.url()).toBe(`http://127.0.0.1:${server.port}/`);
    await fresh.close();
  });
});
