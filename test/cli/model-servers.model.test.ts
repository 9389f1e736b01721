import { appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import {
  benchResultSchema,
  serverLookSchema,
  serverStatusSchema,
} from '../../src-main/contract/index.ts';
import { makePlace, removePlace, run, start, type Place } from './command.ts';
import { failure, models, parsed, takeTadpole, untilNothingRuns } from './models.ts';

let place: Place;

beforeAll(async () => {
  place = await makePlace();
  await takeTadpole(place);
});

// What a failed test left must not outlive it.
afterAll(async () => {
  await models(place, 'stop', 'tadpole', '--force');
  await removePlace(place);
});

/** The state of the server, as `--json` has it. */
async function stateOf(): Promise<z.infer<typeof serverStatusSchema>> {
  const looked = await models(place, 'status', 'tadpole', '--json');
  return parsed(serverLookSchema, looked).status;
}

const NONE = 'No server runs. Start one with `vivarium models start NAME`.\n';

test('before the first start there is nothing: no state, no log, nothing to stop', async () => {
  expect(await models(place, 'status')).toMatchObject({ code: 0, stdout: '', stderr: NONE });
  expect((await models(place, 'status', 'tadpole')).stdout).toBe('tadpole  stopped\n');
  expect(await models(place, 'logs', 'tadpole')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: 'tadpole has no log: it was never started.\n',
  });
  const stopped = await models(place, 'stop', 'tadpole', '--json');
  expect([stopped.code, failure(stopped)]).toEqual([
    3,
    {
      code: 'server_not_running',
      message: 'the server of tadpole does not run',
      next: 'Start it with `vivarium models start tadpole`.',
    },
  ]);
});

test('start tells what it does and returns when the server is ready', async () => {
  const started = await models(place, 'start', 'tadpole');
  expect(started).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^ready    tadpole after [\d.]+ m?s\nengine   llamacpp [\d.]+\naddress  http:\/\/127\.0\.0\.1:\d+\ncontext  2,048 tokens x 1 sequence\n$/,
    ) as string,
  });
  expect(started.stderr).toContain('loading tadpole starting the engine\n');
  expect(started.stderr.split('\n').slice(-2)).toEqual(['ready tadpole', '']);
  expect(await stateOf()).toMatchObject({ state: 'ready', ownerKind: 'keeper', users: 0 });
});

test('S06 a second start says that it runs, and cannot change it', async () => {
  const before = await stateOf();
  const again = await models(place, 'start', 'tadpole');
  expect([again.code, again.stdout.split('\n')[0]]).toEqual([
    0,
    'ready    tadpole: it runs already',
  ]);
  const json = parsed(serverStatusSchema, await models(place, 'start', 'tadpole', '--json'));
  expect(json.owner).toBe(before.owner);
  const other = await models(place, 'start', 'tadpole', '--set', 'contextTokens=512', '--json');
  expect([other.code, failure(other)]).toEqual([
    3,
    {
      code: 'server_running',
      message:
        'the server of tadpole runs already, as it was started: it cannot take another contextTokens',
      next: 'Start it anew with `vivarium models restart tadpole` and the same options, or leave them out.',
    },
  ]);
});

test('status shows it: once, as JSON, and again each second until Ctrl-C', async () => {
  const all = await models(place, 'status');
  expect([all.code, all.stdout]).toEqual([
    0,
    expect.stringMatching(
      /^tadpole {2}ready for \d+ s\n {2}engine {4}llamacpp .+\n {2}address {3}http:.+\n {2}context {3}2,048 tokens x 1 sequence\n {2}owner {5}kept in the background\n/,
    ),
  ]);
  const looked = parsed(z.array(serverLookSchema), await models(place, 'status', '--json'));
  expect(looked).toMatchObject([{ status: { name: 'tadpole', state: 'ready' } }]);
  const watching = start(place, ['models', 'status', '--watch']);
  await watching.prints('tadpole  ready for ', 2);
  watching.kill('SIGINT');
  const { code, stderr } = await watching.ended;
  expect([code, stderr]).toEqual([0, '']);
});

test('logs: the last lines, and new ones until Ctrl-C', async () => {
  const last = await models(place, 'logs', 'tadpole', '--lines', '3');
  expect([last.code, last.stdout.split('\n')]).toEqual([0, expect.objectContaining({ length: 4 })]);
  const following = start(place, ['models', 'logs', 'tadpole', '--follow', '--lines', '1']);
  const { logFile } = await stateOf();
  await appendFile(logFile ?? '', 'said \u001b[2Jlater\n');
  await following.prints('later');
  following.kill('SIGINT');
  const { code, stdout } = await following.ended;
  expect([code, stdout.split('\n').slice(-2)]).toEqual([0, ['said \\x1b[2Jlater', '']]);
});

test('bench uses the server that runs, and leaves it', async () => {
  const measured = parsed(benchResultSchema, await models(place, 'bench', 'tadpole', '--json'));
  expect(measured).toMatchObject({ name: 'tadpole', loadSeconds: null });
  expect(measured.turns).toHaveLength(10);
  // Its owner sees within a look or two that the last request has ended.
  await vi.waitFor(
    async () => expect(await stateOf()).toMatchObject({ state: 'ready', users: 0 }),
    5_000,
  );
});

test('restart takes what the profile says now; one that would not start changes nothing', async () => {
  const before = await stateOf();
  const faulty = await models(place, 'restart', 'tadpole', '--set', 'contextTokens=4096');
  expect([faulty.code, faulty.stderr.split('\n')[0]]).toEqual([
    2,
    'error: tadpole would not start: contextTokens is 4096, but the model was trained with 2048.',
  ]);
  expect((await stateOf()).pid).toBe(before.pid);
  const again = await models(place, 'restart', 'tadpole', '--set', 'contextTokens=1024', '--json');
  const status = parsed(serverStatusSchema, again);
  expect(status).toMatchObject({ state: 'ready', contextTokens: 1024 });
  expect(status.pid).not.toBe(before.pid);
});

test('a model whose server runs is neither removed nor renamed', async () => {
  for (const words of [
    ['remove', 'tadpole'],
    ['rename', 'tadpole', 'frog'],
  ]) {
    const refused = await models(place, ...words, '--json');
    expect([refused.code, failure(refused).code]).toEqual([2, 'model_in_use']);
  }
});

test('S06 stop ends every process; a second one says that nothing runs', async () => {
  const stopped = await models(place, 'stop', 'tadpole');
  expect([stopped.code, stopped.stdout]).toEqual([0, 'tadpole is stopped.\n']);
  await untilNothingRuns(place, 5_000);
  const again = await models(place, 'stop', 'tadpole');
  expect([again.code, again.stderr]).toEqual([
    3,
    'error: the server of tadpole does not run\nnext: Start it with `vivarium models start tadpole`.\n',
  ]);
  expect(await models(place, 'status')).toMatchObject({ code: 0, stdout: '', stderr: NONE });
});

test('S06 Ctrl-C during a start: nothing is left, and it says so', async () => {
  const starting = start(place, ['models', 'start', 'tadpole']);
  await starting.says('loading tadpole');
  starting.kill('SIGINT');
  const { code, stderr } = await starting.ended;
  expect([code, stderr.split('\n').slice(-3)]).toEqual([
    1,
    [
      'error: stopped before it was done',
      'next: What was started for it is stopped too; run the command again to start over.',
      '',
    ],
  ]);
  await untilNothingRuns(place, 5_000);
  expect((await stateOf()).state).toBe('stopped');
});

test('in the foreground it runs until Ctrl-C', async () => {
  const foreground = start(place, ['models', 'start', 'tadpole', '--foreground']);
  await foreground.says('ready tadpole');
  expect(await stateOf()).toMatchObject({ state: 'ready' });
  foreground.kill('SIGINT');
  expect((await foreground.ended).code).toBe(0);
  await untilNothingRuns(place, 5_000);
});

test('S01 kill -9 of the keeper: nothing is left within 5 s, status says so, and it starts again', async () => {
  const before = parsed(serverStatusSchema, await models(place, 'start', 'tadpole', '--json'));
  process.kill(Number(before.owner?.split('.')[0]), 'SIGKILL');
  await untilNothingRuns(place, 5_000);
  const lost = await models(place, 'status');
  expect([lost.code, lost.stdout]).toEqual([
    0,
    expect.stringMatching(
      /^tadpole {2}lost \d+ s ago\n {2}cause {5}its owner or its process is gone, and nobody had asked for that\n/,
    ),
  ]);
  const cleaned = await run(place, 'clean');
  expect([cleaned.code, cleaned.stdout]).toEqual([
    0,
    expect.stringContaining('Ended what was left of the server of tadpole.\n'),
  ]);
  expect((await models(place, 'start', 'tadpole')).code).toBe(0);
  expect((await models(place, 'stop', 'tadpole')).code).toBe(0);
});

test('clean forgets the servers of models that are gone', async () => {
  const file = path.join(place.home, 'servers', 'tadpole', 'state.json');
  expect(await readFile(file, 'utf8')).toContain('"stopped"');
  expect((await models(place, 'remove', 'tadpole')).code).toBe(0);
  const cleaned = await run(place, 'clean');
  expect(cleaned.stdout).toContain('Removed state and logs of the server of tadpole.\n');
  await expect(readFile(file)).rejects.toThrow('ENOENT');
});
