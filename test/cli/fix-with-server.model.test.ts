import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { serverLookSchema, sessionResultSchema } from '../../src-main/contract/index.ts';
import { createCore, type Core } from '../../src-main/core/index.ts';
import { COMMAND, fixWords, makePlace, removePlace, run, start, type Place } from './command.ts';
import { models, parsed, takeTadpole, untilNothingRuns } from './models.ts';

let place: Place;

beforeAll(async () => {
  place = await makePlace();
  await takeTadpole(place);
});

afterAll(async () => {
  await models(place, 'stop', 'tadpole', '--force');
  await removePlace(place);
});

const STARTED =
  /info: the server of tadpole \(llamacpp [\d.]+\) was started for this session, ready after [\d.]+ s, and ends when nobody uses it any more\n/;
const RAN =
  /info: the server of tadpole \(llamacpp [\d.]+\) ran already, since \d{4}-\S+Z, and goes on\n/;

const words = (...more: string[]): string[] => fixWords(place, 'tadpole', ...more);

async function statusOf(): Promise<object> {
  const looked = await models(place, 'status', 'tadpole', '--json');
  const { state, ownerKind, users } = parsed(serverLookSchema, looked).status;
  return { state, ownerKind, users };
}

/** What its owner says of it once it has seen that nobody asks for anything any more. */
async function quiet(): Promise<object> {
  await vi.waitFor(async () => expect(await statusOf()).toMatchObject({ state: 'ready' }), 5_000);
  return statusOf();
}

/** Another user of the same servers: this process. */
function otherApp(): Core {
  return createCore({
    home: place.home,
    env: process.env,
    keeperCommand: [process.execPath, COMMAND, 'models', 'keep'],
  });
}

test('a server that runs is used, and goes on', async () => {
  expect((await models(place, 'start', 'tadpole')).code).toBe(0);
  const fixed = await run(place, ...words('--max-steps', '2', '--json'));
  const result = sessionResultSchema.parse(JSON.parse(fixed.stdout));
  expect(fixed.stderr).toMatch(RAN);
  const shown = await run(place, 'show', result.sessionId, '--steps');
  expect(shown.stdout).toMatch(/the server of tadpole .* ran already, since .*, and goes on/);
  expect(await quiet()).toEqual({ state: 'ready', ownerKind: 'keeper', users: 0 });
  expect((await models(place, 'stop', 'tadpole')).code).toBe(0);
});

test('where none runs, one is started, and has ended when the command has', async () => {
  const fixed = await run(place, ...words('--max-steps', '2'));
  expect(fixed.code).toBe(1);
  expect(fixed.stderr).toMatch(STARTED);
  expect(fixed.stderr).toContain('starting the server of tadpole: starting the engine\n');
  await untilNothingRuns(place, 500);
  expect(await statusOf()).toMatchObject({ state: 'stopped', users: 0 });
});

test('one that was started for a session goes on for whoever joined it, kill -9 included', async () => {
  const core = otherApp();
  try {
    const fixing = start(place, words('--attempts', '9'));
    await fixing.says('was started for this session');
    const joined = await core.models.use('tadpole');
    expect(joined.started).toBe(false);
    fixing.kill('SIGKILL');
    await fixing.ended;
    const ask = { messages: [{ role: 'user' as const, content: 'Hello.' }], tools: [] };
    for (let count = 0; count < 3; count += 1) {
      const reply = await joined.chat.complete({ ...ask, sampling: {}, maxTokens: 8 });
      expect(reply.usage.completionTokens).toBeGreaterThan(0);
    }
    // Longer than its owner needs to see that the first user is gone.
    expect(await statusOf()).toMatchObject({ ownerKind: 'app', users: 1 });
    await joined.close();
    await core.close();
    await untilNothingRuns(place, 5_000);
  } finally {
    await core.close();
  }
});

test('it is stopped under a session only by force, and `models start` keeps it for good', async () => {
  const fixing = start(place, words('--attempts', '9'));
  await fixing.says('was started for this session');
  const refused = await models(place, 'stop', 'tadpole');
  expect([refused.code, refused.stderr]).toEqual([
    3,
    `error: the server of tadpole is in use by process ${fixing.pid}\n` +
      'next: Wait until that is done, or stop it all the same with --force.\n',
  ]);
  const kept = await models(place, 'start', 'tadpole');
  expect([kept.code, kept.stdout.split('\n')[0]]).toEqual([
    0,
    'ready    tadpole: it runs already, and is kept in the background from now on',
  ]);
  fixing.kill('SIGINT');
  expect((await fixing.ended).code).toBe(1);
  expect(await quiet()).toEqual({ state: 'ready', ownerKind: 'keeper', users: 0 });
  expect((await models(place, 'stop', 'tadpole')).code).toBe(0);
});

test('S01 kill -9 of the session, while its server loads or runs: nothing is left within 5 s', async () => {
  for (const moment of ['starting the server of tadpole', '[1] step 1: ']) {
    const fixing = start(place, words('--attempts', '9'));
    await fixing.says(moment);
    fixing.kill('SIGKILL');
    await fixing.ended;
    await untilNothingRuns(place, 5_000);
  }
  expect(await statusOf()).toMatchObject({ state: 'stopped' });
});

test('a session whose server is stopped by force ends with that as its reason', async () => {
  const fixing = start(place, words('--attempts', '8', '--json'));
  await fixing.says('[1] step 1: ');
  expect((await models(place, 'stop', 'tadpole', '--force')).code).toBe(0);
  const { code, stdout } = await fixing.ended;
  const { outcome, attempts, detail, patch } = sessionResultSchema.parse(JSON.parse(stdout));
  // How far the model came until then is its own.
  expect([code, outcome]).toEqual(patch === null ? [1, 'failed'] : [0, 'patched']);
  // The small model can be done with an attempt or two before the command has begun.
  const left = 8 - attempts.length;
  expect(left).toBeGreaterThan(1);
  expect(attempts.slice(0, -1).map(({ exitReason }) => exitReason)).not.toContain(
    'llm_query_error',
  );
  expect(attempts.at(-1)).toMatchObject({
    exitReason: 'llm_query_error',
    detail:
      'the server of tadpole was stopped. Start it again with `vivarium models start tadpole`.',
  });
  expect(detail).toBe(
    `the server of tadpole was stopped; ${left} attempts were not run. Start it again with \`vivarium models start tadpole\`.`,
  );
  await untilNothingRuns(place, 5_000);
});

test('a name that is no model is told with what else it could be', async () => {
  const slip = await run(place, ...fixWords(place, 'tadpol'));
  expect([slip.code, slip.stderr]).toEqual([
    2,
    'error: There is no model named "tadpol".\n' +
      'next: Did you mean tadpole? `vivarium models list` shows all. Other models are gguf:FILE, script:FILE and http://HOST:PORT/v1#NAME.\n',
  ]);
});
