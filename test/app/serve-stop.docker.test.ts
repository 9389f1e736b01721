import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createClient } from '../../src-renderer/api/create-client.ts';
import type { Client } from '../../src-renderer/api/types.ts';
import { FIX, leftovers, script, start, WAIT, type Place, type Running } from '../cli/command.ts';
import { cookieOf, nodeTransport } from './node-transport.ts';
import { cleanPlace, newFix, openCore } from './place.ts';

/** Every way to end has to be over within this. */
const ENDED_WITHIN_MS = 5_000;

interface Served {
  running: Running;
  client: Client;
  port: number;
}

async function serve(place: Place): Promise<Served> {
  const running = start(place, ['serve']);
  await running.says('a fresh one is in ');
  const link = running.stdout().trim();
  const port = Number(new URL(link).port);
  const client = createClient({ connect: nodeTransport(port, await cookieOf(link)).connect });
  return { running, client, port };
}

/** Starts a session over the door and waits until its second step keeps it busy. */
async function startBusy(place: Place, client: Client): Promise<string> {
  const model = await script(place, FIX, WAIT);
  const { session } = await client.call('sessions/start', newFix(place, model));
  for await (const item of client.stream('live', { after: 0, session })) {
    if (item.kind === 'event' && item.event.body.type === 'step.finished') return session;
  }
  throw new Error('live ended');
}

test('Ctrl-C stops the running session, records it with its patch, and ends within 5 s', async () => {
  const place = await cleanPlace();
  const { running, client } = await serve(place);
  const session = await startBusy(place, client);
  client.close();
  const began = performance.now();
  running.kill('SIGINT');
  expect(await running.ended).toMatchObject({ code: 0, signal: null });
  expect(performance.now() - began).toBeLessThan(ENDED_WITHIN_MS);
  const result = openCore(place).result(session);
  expect(result.outcome).toBe('cancelled');
  expect(result.patch?.insertions).toBe(1);
  expect(await leftovers(place)).toEqual([]);
});

test('a second Ctrl-C ends at once; the session can go on', async () => {
  const place = await cleanPlace();
  const { running, client, port } = await serve(place);
  const session = await startBusy(place, client);
  client.close();
  running.kill('SIGINT');
  await running.says('stopping: ');
  await delay(150);
  const began = performance.now();
  running.kill('SIGINT');
  const { code } = await running.ended;
  // It may have been done before the second key was seen.
  expect([0, 130]).toContain(code);
  expect(performance.now() - began).toBeLessThan(ENDED_WITHIN_MS);
  expect(existsSync(path.join(place.home, 'serve', `${port}.url`))).toBe(false);
  expect(['cancelled', 'interrupted']).toContain(openCore(place).result(session).outcome);
  expect(await leftovers(place)).toEqual([]);
});

test('kill -9 in mid-run: the next one shows the session as interrupted and goes on with it', async () => {
  const place = await cleanPlace();
  const first = await serve(place);
  const session = await startBusy(place, first.client);
  first.running.kill('SIGKILL');
  await first.running.ended;
  first.client.close();
  const second = await serve(place);
  const { row } = await second.client.call('sessions/get', { session });
  expect(row.state).toBe('interrupted');
  await second.client.call('sessions/resume', { session });
  for await (const item of second.client.stream('live', { after: 0, session })) {
    if (item.kind === 'event' && item.event.body.type === 'workspace.opened') break;
  }
  second.client.close();
  second.running.kill('SIGINT');
  expect(await second.running.ended).toMatchObject({ code: 0 });
});
