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
import { bodiesOf, tokensOfStep } from '../../fix/index.ts';
import { openStore } from '../../store/index.ts';
import { serveTrainer, TOKENS, type Trainer } from '../../../test/support/trainer.ts';
import { createCore } from '../index.ts';

const KEY = 'agl-s3cret-key';
const SET_BY_TRAINER = /^(stream.*|temperature|top_.*|min_p|.*_penalty|seed)$/;

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
    expect(Object.keys(body).filter((name) => SET_BY_TRAINER.test(name))).toEqual([]);
  }
  const record = await readFile(path.join(place.home, 'vivarium.db'));
  expect(record.includes(KEY)).toBe(false);
  expect(await place.remains()).toEqual({ containers: 0, volumes: 0, snapshots: [] });
});

/** The steps of the only attempt on record, and how it ended. */
function recorded() {
  const store = openStore(path.join(place.home, 'vivarium.db'));
  try {
    const runId = store.runs()[0]?.runId ?? '';
    const sessionId = store.cells(runId)[0]?.sessionId ?? '';
    const bodies = store.events({ sessionId }).map(({ body }) => body);
    return {
      steps: bodiesOf(store.events({ sessionId }), 'step.finished').map((step) => ({
        timings: step.timings,
        tokens: tokensOfStep(store, step),
      })),
      finished: bodies.find((body) => body.type === 'attempt.finished'),
    };
  } finally {
    store.close();
  }
}

test('the tokens that the proxy lets through are on record with each turn', async () => {
  server = await serveTrainer(KEY, SOLVE);
  await roll();
  expect(recorded().steps.map(({ tokens }) => tokens)).toEqual([TOKENS, TOKENS]);
});

test('a paused proxy is waited for, and that is no thinking', async () => {
  server = await serveTrainer(KEY, SOLVE, [], 2);
  expect(await roll()).toMatchObject({ value: 1 });
  const { steps, finished } = recorded();
  expect(steps[0]?.timings.waitedMs).toBeGreaterThan(1_900);
  expect(steps[0]?.timings.modelMs).toBeLessThan(1_000);
  expect(steps[1]?.timings).not.toHaveProperty('waitedMs');
  expect(finished?.seconds.waiting).toBeGreaterThan(1.9);
  expect(finished?.seconds.model).toBeLessThan(1);
});

test.each([
  ['a setting', { VIVARIUM_MAX_WAIT: '2' }, '429: gateway paused'],
  ['the limit of the task', { VIVARIUM_TIME_LIMIT: '3' }, 'the time limit came while the model'],
])('%s ends the waiting: no reward of 0 for that', async (_, limit, why) => {
  server = await serveTrainer(KEY, SOLVE, [], 1_000);
  await expect(roll(limit)).rejects.toMatchObject({
    message: expect.stringContaining(why) as string,
  });
  expect(posts()).toEqual([]);
  expect(asked().length).toBeLessThan(10);
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
