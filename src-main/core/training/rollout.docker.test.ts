import { afterEach, beforeEach, expect, test } from 'vitest';
import path from 'node:path';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import {
  bash,
  DONE,
  openEvalPlace,
  SOLVE,
  type EvalPlace,
} from '../../../test/support/eval-place.ts';
import { serveTrainer, type Trainer } from '../../../test/support/trainer.ts';
import { createCore } from '../index.ts';

const KEY = 'agl-s3cret-key';

let place: EvalPlace;
let server: Trainer;
beforeEach(async () => {
  place = await openEvalPlace();
});
afterEach(async () => {
  await place.dispose();
  await server.close();
});

async function roll(more: Record<string, string> = {}) {
  await place.addTask('one');
  const base = `http://127.0.0.1:${server.port}`;
  const env = {
    ...process.env,
    ...{ AGL_OPENAI_BASE_URL: `${base}/proxy/openai/v1`, AGL_EVENT_URL: `${base}/events` },
    ...{ AGL_KEY: KEY, VIVARIUM_TASK: path.join(place.tasks, 'one'), VIVARIUM_HOME: place.home },
    ...more,
  };
  const core = createCore({ home: place.home, env });
  try {
    return await core.rollout({ signal: new AbortController().signal });
  } finally {
    await core.close();
  }
}

const posts = () => server.requests.filter((seen) => seen.path === '/events');
const asked = () => server.requests.filter((seen) => seen.path.endsWith('/chat/completions'));

test('a solved task posts one reward of 1; the proxy is left to name and to sample', async () => {
  server = await serveTrainer(KEY, SOLVE, [503, 200]);
  const reward = { value: 1, message: 'one: resolved after 2 steps', reason: 'final_answer' };
  expect(await roll()).toEqual(reward);
  const event = { event_type: 'reward', data: { ...reward, source: 'vivarium' } };
  expect(posts().map(({ body }) => body)).toEqual([event, event]);
  expect(asked()).toHaveLength(2);
  for (const { body } of asked()) {
    expect(body['model']).toBe('policy');
    for (const name of ['stream', 'stream_options', 'temperature', 'seed'])
      expect(body).not.toHaveProperty(name);
  }
  const record = await readFile(path.join(place.home, 'vivarium.db'));
  expect(record.includes(KEY)).toBe(false);
  expect(await place.remains()).toEqual({ containers: 0, volumes: 0, snapshots: [] });
});

test('a failed task is a reward of 0; requests only grow', async () => {
  server = await serveTrainer(KEY, [bash('echo wrong > a.txt'), bash('cat a.txt'), DONE]);
  expect(await roll()).toMatchObject({ value: 0, reason: 'final_answer' });
  const messages = asked().map(({ body }) => body['messages'] as unknown[]);
  for (const [at, earlier] of messages.slice(0, -1).entries()) {
    expect(messages[at + 1]?.slice(0, earlier.length)).toEqual(earlier);
  }
});

test('a server that fails is no reward of 0: nothing is posted', async () => {
  server = await serveTrainer(KEY, []);
  await expect(roll()).rejects.toMatchObject({ code: 'workspace_failed' });
  expect(posts()).toEqual([]);
  expect(asked()).toHaveLength(1);
});

test('a scaffold that condenses its history is refused before anything is asked', async () => {
  server = await serveTrainer(KEY, SOLVE);
  const file = path.join(place.tasks, 'short.yaml');
  await mkdir(place.tasks, { recursive: true });
  await writeFile(file, 'extends: r2egym\ncondenseAboveTokens: 28000\n');
  await expect(roll({ VIVARIUM_SCAFFOLD: file })).rejects.toMatchObject({
    message: 'the scaffold short condenses its history',
  });
  expect(server.requests).toEqual([]);
});
