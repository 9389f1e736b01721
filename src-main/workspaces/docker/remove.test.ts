import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectEngine, listOwned, type Engine } from '../index.ts';
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

/** What a container is to the engine; null: it knows none of this name. */
type State = { Status: string; Running: boolean; Pid: number } | null;

/**
 * An engine that lists one container and says that its removal is under way already. `listed` is
 * its state in the list, `state` what looking at it gives.
 */
async function engineWith(state: State, listed = 'removing'): Promise<Engine> {
  const socket = path.join(folder, 'docker.sock');
  const entry = { Id: 'a1', State: listed, Labels: {} };
  server = createServer((request, response) => {
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (request.url?.includes('/version')) answer(200, VERSION);
    else if (request.method === 'DELETE') answer(409, { message: 'is already in progress' });
    else if (request.url?.includes('/containers/json')) answer(200, [entry]);
    else if (request.url?.includes('/volumes')) answer(200, { Volumes: [] });
    else if (state === null) answer(404, { message: 'No such container: a1' });
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

const LEFT = { Status: 'dead', Running: false, Pid: 0 };
test.each([
  ['dead', null, []],
  ['removing', null, []],
  ['dead', LEFT, ['a1']],
])('W07 what an engine lists as %s and knows as %j is there: %j', async (listed, state, ids) => {
  const { containers } = await listOwned(await engineWith(state, listed), folder);
  expect(containers.map((one) => one.id)).toEqual(ids);
});
