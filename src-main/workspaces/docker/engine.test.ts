import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createSocket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { engineCandidates } from './discovery.ts';
import { connectEngine } from './engine.ts';
import { noEngine } from './engine-trouble.ts';

const DOCKER = { Version: '29.1.0', Os: 'linux', Components: [{ Name: 'Engine' }] };
const PODMAN = { Version: '5.4.0', Os: 'linux', Components: [{ Name: 'Podman Engine' }] };

let home: string;
const servers: Server[] = [];

beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'vivarium-engines-'));
});
afterEach(async () => {
  for (const server of servers.splice(0)) {
    await new Promise((resolve) => server.close(resolve));
  }
  rmSync(home, { recursive: true, force: true });
});

/** An engine that answers `/version` on a socket of its own. */
async function listen(name: string, version: object): Promise<string> {
  const socket = path.join(home, name);
  mkdirSync(path.dirname(socket), { recursive: true });
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(version));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return socket;
}

/** Only what is under `home` can be found, not the machine's own engine. */
const env = (more: Record<string, string> = {}) => ({ HOME: home, PATH: home, ...more });

function useContext(name: string, host: string): void {
  const digest = createHash('sha256').update(name).digest('hex');
  const folder = path.join(home, '.docker', 'contexts', 'meta', digest);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(home, '.docker', 'config.json'),
    JSON.stringify({ currentContext: name }),
  );
  const meta = { Name: name, Endpoints: { docker: { Host: host } } };
  writeFileSync(path.join(folder, 'meta.json'), JSON.stringify(meta));
}

describe('where an engine is looked for', () => {
  test('W06 DOCKER_HOST, then the context, are the only places when they are set', () => {
    useContext('colima', 'unix:///colima.sock');
    expect(engineCandidates(env({ DOCKER_HOST: '127.0.0.1:2375' }))).toEqual([
      { via: 'DOCKER_HOST', host: 'tcp://127.0.0.1:2375', chosen: true },
    ]);
    expect(engineCandidates(env())).toEqual([
      { via: 'context colima', host: 'unix:///colima.sock', chosen: true },
    ]);
    expect(
      engineCandidates(env({ DOCKER_CONTEXT: 'default' }), 'linux', 1000).length,
    ).toBeGreaterThan(3);
  });

  test('W06 the usual sockets in order: system, rootless, Desktop, Podman', () => {
    const found = engineCandidates(env({ XDG_RUNTIME_DIR: '/run/user/7' }), 'linux', 7);
    expect(found.map((candidate) => candidate.host)).toEqual([
      'unix:///var/run/docker.sock',
      'unix:///run/user/7/docker.sock',
      `unix://${home}/.docker/run/docker.sock`,
      `unix://${home}/.docker/desktop/docker.sock`,
      'unix:///run/user/7/podman/podman.sock',
      'unix:///run/podman/podman.sock',
    ]);
    expect(engineCandidates(env(), 'win32').map((candidate) => candidate.host)).toEqual([
      'npipe:////./pipe/docker_engine',
      'npipe:////./pipe/dockerDesktopLinuxEngine',
    ]);
  });

  test('W06 broken config files are no reason to fail', () => {
    mkdirSync(path.join(home, '.docker'));
    writeFileSync(path.join(home, '.docker', 'config.json'), '{"currentContext": 7');
    expect(engineCandidates(env(), 'linux', 7)[0]?.host).toBe('unix:///var/run/docker.sock');
  });
});

describe('what answers, or why nothing does', () => {
  test('W06 an engine at DOCKER_HOST and one named by the context are found', async () => {
    const socket = await listen('a.sock', DOCKER);
    const byHost = await connectEngine({ env: env({ DOCKER_HOST: `unix://${socket}` }) });
    expect(byHost).toMatchObject({ via: 'DOCKER_HOST', name: 'Docker 29.1.0' });
    useContext('other', `unix://${socket}`);
    expect(await connectEngine({ env: env() })).toMatchObject({ via: 'context other' });
  });

  test('W06 Podman and Windows containers are told apart, with the next step', async () => {
    const podman = await listen('podman.sock', PODMAN);
    await expect(
      connectEngine({ env: env({ DOCKER_HOST: `unix://${podman}` }) }),
    ).rejects.toMatchObject({
      code: 'docker_failed',
      message: expect.stringContaining('Podman'),
      next: expect.stringContaining('Docker Engine'),
    });
    const windows = await listen('win.sock', { ...DOCKER, Os: 'windows' });
    await expect(
      connectEngine({ env: env({ DOCKER_HOST: `unix://${windows}` }) }),
    ).rejects.toMatchObject({
      code: 'docker_failed',
      next: expect.stringContaining('Linux containers'),
    });
  });

  test('W06 a chosen engine that is not there or does not answer is named', async () => {
    const gone = { code: 'docker_not_running', message: expect.stringContaining('DOCKER_HOST') };
    const missing = env({ DOCKER_HOST: `unix://${home}/none.sock` });
    await expect(connectEngine({ env: missing })).rejects.toMatchObject(gone);
    const refused = env({ DOCKER_HOST: 'tcp://127.0.0.1:1' });
    await expect(connectEngine({ env: refused })).rejects.toMatchObject(gone);
    useContext('stale', `unix://${home}/none.sock`);
    await expect(connectEngine({ env: env() })).rejects.toMatchObject({
      code: 'docker_not_running',
      next: expect.stringContaining('docker context use default'),
    });
  });

  const absent = (host: string) => ({
    candidate: { via: host, host, chosen: false },
    kind: 'absent' as const,
    error: new Error('ENOENT'),
  });

  test('W06 not installed and not running are told apart', () => {
    expect(noEngine([absent('unix:///a')], env())).toMatchObject({ code: 'docker_missing' });
    writeFileSync(path.join(home, 'dockerd'), '');
    expect(noEngine([absent('unix:///a')], env())).toMatchObject({
      code: 'docker_not_running',
      next: expect.stringContaining('systemctl start docker'),
    });
    const dead = { ...absent('unix:///b'), kind: 'refused' as const };
    rmSync(path.join(home, 'dockerd'));
    expect(noEngine([absent('unix:///a'), dead], env())).toMatchObject({
      code: 'docker_not_running',
    });
  });

  test.runIf(process.getuid?.() === 0)('W06 a socket that may not be used says so', async () => {
    const socket = path.join(home, 'closed.sock');
    const server = createSocket();
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    chmodSync(socket, 0o600);
    chmodSync(home, 0o755);
    const module = path.join(import.meta.dirname, 'engine.ts');
    const script = `import { connectEngine } from ${JSON.stringify(module)};
      await connectEngine({ env: { DOCKER_HOST: 'unix://${socket}', HOME: '/', PATH: '' } })
        .catch((error) => process.stdout.write(error.code + ' ' + error.next));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      uid: 65_534,
      gid: 65_534,
      env: {},
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await new Promise((resolve) => child.once('exit', resolve));
    await new Promise((resolve) => server.close(resolve));
    expect(said).toMatch(/^docker_no_permission .*usermod -aG docker/);
  });
});
