import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectEngine, listOwned } from '../../src-main/workspaces/index.ts';
import { bash, DONE, openEvalPlace, SOLVE, type EvalPlace } from '../support/eval-place.ts';
import { serveTrainer, type Trainer } from '../support/trainer.ts';
import { COMMAND } from './command.ts';

const KEY = 'agl-s3cret-key';
const WAIT = bash('sleep 300');

let place: EvalPlace;
let temporary: string;
let trainer: Trainer;
beforeEach(async () => {
  place = await openEvalPlace();
  await place.addTask('one');
  temporary = path.join(place.tasks, '../tmp');
  await mkdir(temporary);
});
afterEach(async () => {
  await trainer.close();
  await place.dispose();
});

/** The command in a process of its own, told all by its environment; it keeps no record. */
function roll(change: Record<string, string> = {}) {
  const base = `http://127.0.0.1:${trainer.port}`;
  return execa(process.execPath, [COMMAND, 'rollout'], {
    env: {
      ...{ AGL_OPENAI_BASE_URL: `${base}/openai/v1`, AGL_EVENT_URL: `${base}/events` },
      ...{ AGL_KEY: KEY, VIVARIUM_TASK: path.join(place.tasks, 'one') },
      ...{ VIVARIUM_HOME: '', TMPDIR: temporary, ...change },
    },
    reject: false,
  });
}

const rewards = () =>
  trainer.requests.filter((seen) => seen.path === '/events').map(({ body }) => body['data']);
const homes = () => readdir(temporary);

async function asked(times: number): Promise<void> {
  const calls = () => trainer.requests.filter((seen) => seen.path.endsWith('/completions'));
  await expect.poll(() => calls().length, { timeout: 60_000 }).toBe(times);
}

test.each([
  ['solved', SOLVE, 1],
  ['failed', [bash('echo wrong > a.txt'), DONE], 0],
])('a %s task ends with 0, its reward on stdout and at the trainer', async (_, turns, value) => {
  trainer = await serveTrainer(KEY, turns);
  const { exitCode, stdout, stderr } = await roll();
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('starting the model')]);
  const reward = JSON.parse(stdout) as Record<string, unknown>;
  expect(reward).toMatchObject({ value, reason: 'final_answer' });
  expect(rewards()).toEqual([{ ...reward, source: 'vivarium' }]);
  expect(await homes()).toEqual([]);
});

test.each([
  ['no address of the trainer', { AGL_EVENT_URL: '' }, 2, 'AGL_EVENT_URL is not set'],
  ['no such task', { VIVARIUM_TASK: '/nowhere' }, 2, '/nowhere'],
  ['no key', { AGL_KEY: '' }, 3, 'Set AGL_KEY to the key of this server.'],
  ['another key', { AGL_KEY: 'wr0ng-key' }, 3, 'Set AGL_KEY to the key of this server.'],
  ['no trainer', { AGL_OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }, 3, 'nothing answers at'],
])('%s: its exit code, its cause, and no reward', async (_, change, code, cause) => {
  trainer = await serveTrainer(KEY, SOLVE);
  const { exitCode, stdout, stderr } = await roll(change);
  expect([exitCode, stdout]).toEqual([code, '']);
  expect(stderr).toContain(cause);
  expect(stderr).not.toMatch(/s3cret|wr0ng/);
  expect(rewards()).toEqual([]);
  expect(await homes()).toEqual([]);
});

test('stopped: 1, no reward, and nothing is left', async () => {
  trainer = await serveTrainer(KEY, [WAIT]);
  const running = roll();
  await asked(1);
  running.kill('SIGTERM');
  const { exitCode, stderr } = await running;
  expect(exitCode).toBe(1);
  expect(stderr).toContain('no reward is posted');
  expect([rewards(), await homes()]).toEqual([[], []]);
});

test('the next rollout removes what a killed one has left, and nothing of one that runs', async () => {
  trainer = await serveTrainer(KEY, [WAIT, WAIT, ...SOLVE]);
  const killed = roll();
  await asked(1);
  const [left = ''] = await homes();
  killed.kill('SIGKILL');
  await killed;
  const alive = roll();
  await asked(2);
  const [stays = ''] = await homes();
  expect(stays).not.toBe(left);
  const { exitCode, stderr } = await roll();
  expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('removed')]);
  expect(await homes()).toEqual([stays]);
  const gone = await listOwned(await connectEngine(), path.join(temporary, left));
  expect(gone).toEqual({ containers: [], volumes: [] });
  alive.kill('SIGTERM');
  expect((await alive).stderr).toContain('removed what killed rollouts had left: 1');
});
