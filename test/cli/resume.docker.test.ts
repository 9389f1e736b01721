import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import {
  COMMAND,
  docker,
  DONE,
  FIX,
  fixWords,
  IMAGE,
  leftovers,
  makePlace,
  removePlace,
  run,
  script,
  sessionsOf,
  start,
  WAIT,
  type Place,
} from './command.ts';

const execute = promisify(execFile);

let place: Place;
beforeEach(async () => {
  place = await makePlace();
});
afterEach(async () => {
  const left = await leftovers(place);
  await removePlace(place);
  if (left.length > 0) throw new Error(`left behind: ${left.join(' ')}`);
});

test('P11: a resume that fails takes nothing away: patch and session are there as before', async () => {
  const image = 'vivarium-test-resume:1';
  await docker('tag', IMAGE, image);
  onTestFinished(async () => void (await docker('image', 'rm', '--force', image)));
  const model = await script(place, FIX, WAIT);
  const running = start(place, fixWords(place, model, '--image', image));
  await running.says('[1] step 1: ');
  running.kill('SIGKILL');
  await running.ended;
  const id = (await sessionsOf(place))[0]?.sessionId ?? '';
  const resume = async (cause: RegExp): Promise<void> => {
    const { code, stderr } = await run(place, 'resume', id);
    expect([code, stderr]).toEqual([3, expect.stringMatching(cause)]);
    expect(await sessionsOf(place)).toMatchObject([{ state: 'interrupted', steps: 1 }]);
  };

  // No engine; no image; an image that cannot be a workspace, which shows only when one is opened.
  const away = await execute(process.execPath, [COMMAND, 'resume', id], {
    env: { ...process.env, VIVARIUM_HOME: place.home, DOCKER_HOST: 'unix:///nowhere.sock' },
  }).catch((thrown: { code: number; stderr: string }) => thrown);
  expect(away).toMatchObject({ code: 3, stderr: expect.stringMatching(/^error: .*\nnext: /m) });
  await docker('image', 'rm', image);
  await resume(/error: image vivarium-test-resume:1 is not on this machine\nnext: /);
  const tar = path.join(place.folder, 'bare.tar');
  await execute('tar', ['-cf', tar, '-C', place.repository, 'total.py']);
  const bare = await docker('import', tar, image);
  onTestFinished(async () => void (await docker('image', 'rm', bare)));
  await resume(/error: The image vivarium-test-resume:1 cannot be a workspace.*\nnext: /);

  const shown = await run(place, 'show', id, '--patch');
  expect(shown.stdout).toContain('+    return sum(items)\n');
  await docker('tag', IMAGE, image);
  await writeFile(
    model.slice('script:'.length),
    [FIX, DONE].map((reply) => `${JSON.stringify(reply)}\n`).join(''),
  );
  const resumed = await run(place, 'resume', id);
  expect([resumed.code, resumed.stdout.split('\n')[0]]).toEqual([
    0,
    'There is a patch; no verification was asked for.',
  ]);
});
