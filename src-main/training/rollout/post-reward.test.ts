import { afterEach, expect, test } from 'vitest';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { postReward } from './post-reward.ts';
import { readRolloutRequest } from './read-request.ts';

const reward = { value: 0, message: 'one: failed after 3 steps', reason: 'final_answer' };
const signal = new AbortController().signal;
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Answers with these statuses in turn, and keeps what was posted. */
async function receive(statuses: number[]) {
  const seen: { key: string | undefined; body: unknown }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (piece: Buffer) => (text += piece.toString()));
    request.on('end', () => {
      seen.push({ key: request.headers.authorization, body: JSON.parse(text) });
      response
        .writeHead(statuses[seen.length - 1] ?? 500, { location: '/elsewhere' })
        .end('s3cret-key');
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/events`, seen };
}

test('one reward event with the key, again after failures that may pass', async () => {
  const { url, seen } = await receive([503, 429, 200]);
  await postReward(reward, { url, key: 's3cret-key', signal, pauseMs: 1 });
  const body = { event_type: 'reward', data: { ...reward, source: 'vivarium' } };
  const post = { key: 'Bearer s3cret-key', body };
  expect(seen).toEqual([post, post, post]);
});

test('a refusal is not tried again, and the error shows no key', async () => {
  const { url, seen } = await receive([401]);
  await expect(
    postReward(reward, { url, key: 's3cret-key', signal, pauseMs: 1 }),
  ).rejects.toMatchObject({
    code: 'endpoint_refused',
    message: 'the reward could not be posted: it answered 401',
  });
  expect(seen).toHaveLength(1);
});

test('a redirect is not followed: the key goes to one address only', async () => {
  const { url, seen } = await receive([307]);
  await expect(
    postReward(reward, { url, key: 's3cret-key', signal, pauseMs: 1 }),
  ).rejects.toMatchObject({ message: 'the reward could not be posted: it answered 307' });
  expect(seen).toHaveLength(1);
});

const least = {
  AGL_OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
  AGL_EVENT_URL: 'http://127.0.0.1:9/events',
  VIVARIUM_TASK: '/tasks/one',
};

test('the environment says everything', () => {
  expect(readRolloutRequest({ ...least, VIVARIUM_MODEL: 'a b', VIVARIUM_SEED: '0' })).toEqual({
    ...{ model: 'http://127.0.0.1:9/v1#a%20b', eventUrl: 'http://127.0.0.1:9/events', key: '' },
    ...{ task: '/tasks/one', scaffold: 'leaf', seed: 0, maxSteps: undefined },
    ...{ maxContext: undefined, maxTokens: undefined, timeLimitSeconds: undefined },
    maxWaitSeconds: undefined,
  });
});

test.each([
  [{ AGL_EVENT_URL: '' }, 'AGL_EVENT_URL is not set'],
  [{ AGL_OPENAI_BASE_URL: 'file:///x' }, 'AGL_OPENAI_BASE_URL is no http address'],
  [{ VIVARIUM_MAX_STEPS: '0' }, 'VIVARIUM_MAX_STEPS is no whole number from 1 on'],
])('what is wrong in the environment: %o', (change, message) => {
  expect(() => readRolloutRequest({ ...least, ...change })).toThrow(message);
});
