import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startCli, type Running } from '../../src-main/doors/cli/testing.ts';
import { createClient } from '../../src-renderer/api/create-client.ts';
import { cookieOf, nodeTransport } from './node-transport.ts';

let home: string;
const running: Running[] = [];

beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'serve-'));
});

afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.splice(0).map(({ ended }) => ended));
  rmSync(home, { recursive: true, force: true });
});

interface Served extends Running {
  link: string;
  port: number;
}

async function serve(
  words: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Served> {
  const one = startCli(['serve', ...words], { env: { VIVARIUM_HOME: home, ...env } });
  running.push(one);
  let out = '';
  one.child.stdout.on('data', (text: string) => (out += text));
  const link = await vi.waitFor(
    () => {
      const found = /^(http:\/\/127\.0\.0\.1:(\d+)\/\?token=\S+)\n/.exec(out);
      if (found?.[1] === undefined) throw new Error(`no link yet: ${one.stderr()}`);
      return found[1];
    },
    { timeout: 15_000, interval: 10 },
  );
  return { ...one, link, port: Number(new URL(link).port) };
}

const linkFile = (port: number): string => path.join(home, 'serve', `${port}.url`);
const tokenOf = (link: string): string => new URL(link).searchParams.get('token') ?? '';

describe('vivarium serve', () => {
  it('answers soon, says the link once, and keeps its token out of sight', async () => {
    const began = performance.now();
    const { link, port, child, stderr } = await serve();
    const cookie = await cookieOf(link);
    const client = createClient({ connect: nodeTransport(port, cookie).connect });
    expect(await client.call('sessions/list', {})).toMatchObject({ total: 0 });
    client.close();
    // Measured apart on a quiet machine; here it only must not be another order.
    expect(performance.now() - began).toBeLessThan(10_000);
    await vi.waitFor(() => expect(stderr()).toContain(linkFile(port)));
    expect(stderr()).not.toContain(tokenOf(link));
    expect(readFileSync(`/proc/${child.pid ?? 0}/cmdline`, 'utf8')).not.toContain(tokenOf(link));
    expect(readFileSync(`/proc/${child.pid ?? 0}/environ`, 'utf8')).not.toContain(tokenOf(link));
  });

  it('Ctrl-C ends it in order: connections told, port free, no file left, code 0', async () => {
    const { link, port, child, ended } = await serve();
    const cookie = await cookieOf(link);
    const transport = nodeTransport(port, cookie);
    const client = createClient({ connect: transport.connect });
    const live = client.stream('live', {}).next();
    live.catch(() => undefined);
    await client.call('settings/get', {});
    const began = performance.now();
    child.kill('SIGINT');
    const { code, stdout, stderr } = await ended;
    expect(performance.now() - began).toBeLessThan(5_000);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${link}\n` });
    expect(stderr).toContain('stopping: running sessions are recorded');
    expect(existsSync(linkFile(port))).toBe(false);
    await vi.waitFor(() => expect(client.connection.current()).toBe('lost'));
    client.close();
    const again = await serve(['--port', String(port)]);
    expect(again.port).toBe(port);
  });

  it('kill -9 leaves the port free and a link that is good for nothing; the next one clears it', async () => {
    const first = await serve();
    first.child.kill('SIGKILL');
    await first.ended;
    await expect(fetch(first.link)).rejects.toThrow('fetch failed');
    const second = await serve();
    expect(readdirSync(path.join(home, 'serve'))).toEqual([`${second.port}.url`]);
    const old = `http://127.0.0.1:${second.port}/?token=${tokenOf(first.link)}`;
    expect((await fetch(old, { redirect: 'manual' })).status).toBe(401);
  });

  it('two of one home work side by side, each with links of its own', async () => {
    const [one, two] = [await serve(), await serve()];
    expect(readdirSync(path.join(home, 'serve')).sort()).toEqual(
      [`${one.port}.url`, `${two.port}.url`].sort(),
    );
    const clients = await Promise.all(
      [one, two].map(async ({ port, link }) =>
        createClient({ connect: nodeTransport(port, await cookieOf(link)).connect }),
      ),
    );
    await clients[0]?.call('drafts/set', { key: 'k', text: 'of one' });
    expect(await clients[1]?.call('drafts/get', { key: 'k' })).toEqual({ text: 'of one' });
    for (const client of clients) client.close();
    const cross = `http://127.0.0.1:${two.port}/?token=${tokenOf(one.link)}`;
    expect((await fetch(cross, { redirect: 'manual' })).status).toBe(401);
  });

  it('--open starts the browser without the token in its command line', async () => {
    const bin = path.join(home, 'bin');
    mkdirSync(bin);
    const seen = path.join(home, 'opened');
    // Written whole: the test waits for the file.
    const opener = `#!/bin/sh\nprintf '%s\\n' "$@" > ${seen}.part\nmv ${seen}.part ${seen}\n`;
    writeFileSync(path.join(bin, 'xdg-open'), opener, { mode: 0o755 });
    const { link, port, child, ended } = await serve(['--open'], {
      PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}`,
    });
    await vi.waitFor(() => expect(existsSync(seen)).toBe(true), { timeout: 5_000 });
    const page = path.join(home, 'serve', `${port}.html`);
    expect(readFileSync(seen, 'utf8')).toBe(`${pathToFileURL(page).href}\n`);
    expect(statSync(page).mode & 0o777).toBe(0o600);
    expect(readFileSync(page, 'utf8')).toContain(`url=${link}`);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    expect(readdirSync(path.join(home, 'serve'))).toEqual([]);
  });

  it('a port that is taken is told with what to do', async () => {
    const { port } = await serve();
    const second = startCli(['serve', '--port', String(port)], { env: { VIVARIUM_HOME: home } });
    const { code, stderr } = await second.ended;
    expect(code).toBe(2);
    expect(stderr).toContain(`port ${port} cannot be used`);
    expect(stderr).toContain('next: Leave --port out');
  });
});
