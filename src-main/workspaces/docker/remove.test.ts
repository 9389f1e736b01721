import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectEngine, type Engine } from '../index.ts';
import { removeContainer } from './remove.ts';

const VERSION = { Version: '20.10.24', Os: 'linux', Components: [{ Name: 'Engine' }] };

let folder: string;
let server: Server | undefined;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'vivarium-ghost-'));
});
afterEach(async () => {
  await new Promise((resolve) => server?.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

/** An engine that says of every container that its removal is under way already. */
async function engineWith(state: {
  Status: string;
  Running: boolean;
  Pid: number;
}): Promise<Engine> {
  const socket = path.join(folder, 'docker.sock');
  server = createServer((request, response) => {
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (request.url?.includes('/version')) answer(200, VERSION);
    else if (request.method === 'DELETE') answer(409, { message: 'is already in progress' });
    else if (request.url?.includes('/json')) answer(200, { State: state, Mounts: [] });
    else answer(200, {});
  });
  await new Promise<void>((resolve) => server?.listen(socket, resolve));
  return connectEngine({ env: { DOCKER_HOST: `unix://${socket}` } });
}

test('W07 an entry that the engine will never be rid of holds nobody up for long', async () => {
  const engine = await engineWith({ Status: 'removing', Running: false, Pid: 0 });
  const began = performance.now();
  expect(await removeContainer(engine, 'a1')).toBe('ghost');
  expect(performance.now() - began).toBeLessThan(5_000);
});

test('W07 a container that still has a process is no ghost: that it stays is told', async () => {
  const engine = await engineWith({ Status: 'removing', Running: true, Pid: 42 });
  const patience = { deadlineMs: 500, ghostAfterMs: 50 };
  const removing = removeContainer(engine, 'a1', [], patience);
  await expect(removing).rejects.toThrow('Container a1 could not be removed.');
});
