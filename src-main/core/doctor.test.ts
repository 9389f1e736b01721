import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createCore } from './index.ts';

/** Answers as an engine would that cannot be had here: rootless, without limits, or broken. */
async function doctorOf(info: object) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'vivarium-doctor-'));
  const socket = path.join(folder, 'engine.sock');
  const server = createServer((request, response) => {
    const pages: Record<string, unknown> = {
      version: { Version: '29.1.0', ApiVersion: '1.50', Os: 'linux', Components: [] },
      info: { SecurityOptions: [], Runtimes: { runc: {} }, DefaultRuntime: 'runc', ...info },
      containers: [],
      volumes: { Volumes: [] },
      images: { message: 'no such image' },
    };
    const page = /^(?:\/v[\d.]+)?\/(\w+)/.exec(request.url ?? '')?.[1] ?? '';
    response.writeHead(page === 'images' ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(pages[page] ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  const core = createCore({
    home: path.join(folder, 'home'),
    env: { DOCKER_HOST: `unix://${socket}` },
  });
  onTestFinished(async () => {
    await core.close();
    server.close();
    rmSync(folder, { recursive: true });
  });
  const rows = await core.doctor();
  return (name: string) => rows.find((row) => row.name === name);
}

test('W06 a rootless engine is told apart, and limits it cannot keep are named with the next step', async () => {
  const security = ['name=seccomp,profile=builtin', 'name=rootless', 'name=cgroupns'];
  const limits = { CgroupVersion: '2', MemoryLimit: false, PidsLimit: false };
  const row = await doctorOf({ SecurityOptions: security, ...limits });
  expect(row('docker')).toMatchObject({
    state: 'ok',
    found: 'Docker 29.1.0 (DOCKER_HOST), rootless',
  });
  expect(row('cgroup')).toEqual({
    name: 'cgroup',
    state: 'missing',
    found: 'version 2, memory limits off, process limits off',
    remedy: 'Enable cgroup delegation for the engine: workspaces need their limits.',
    required: true,
  });
  expect(row('image')).toMatchObject({
    state: 'missing',
    remedy: expect.stringContaining('vivarium images build') as string,
  });
});

test('W06 an engine that runs as root and keeps limits is well', async () => {
  const row = await doctorOf({ CgroupVersion: '1', MemoryLimit: true, PidsLimit: true });
  expect(row('docker')?.found).toBe('Docker 29.1.0 (DOCKER_HOST)');
  expect(row('cgroup')).toMatchObject({ state: 'ok', remedy: null });
});
