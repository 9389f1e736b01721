import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sessionResultSchema } from '../../src-main/contract/index.ts';
import {
  DONE,
  FIX,
  fixWords,
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

let place: Place;

beforeEach(async () => {
  place = await makePlace();
});

afterEach(() => removePlace(place));

/** Longer than two signals that count as one press, shorter than any orderly stop. */
const SECOND_PRESS_MS = 150;

describe('Ctrl-C', () => {
  test('P11: once: the attempt ends, what there is is exported, nothing stays', async () => {
    const model = await script(place, FIX, WAIT, DONE);
    const running = start(place, fixWords(place, model, '--verify', 'true', '--json'));
    await running.says('[1] step 1: ');
    await sleep(500);
    const pressed = performance.now();
    running.kill('SIGINT');
    const { code, stdout, stderr } = await running.ended;
    expect(performance.now() - pressed).toBeLessThan(15_000);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'stopping: what there is will be exported; Ctrl-C again ends at once\n',
    );
    const result = sessionResultSchema.parse(JSON.parse(stdout));
    expect(result).toMatchObject({ outcome: 'cancelled', attempts: [{ exitReason: 'cancelled' }] });
    expect(await readFile(result.patch?.file ?? '', 'utf8')).toContain('+    return sum(items)\n');
    expect(await leftovers(place)).toEqual([]);
  });

  test('SIGTERM and SIGHUP stop it alike', async () => {
    const model = await script(place, FIX, WAIT, DONE);
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
      const running = start(place, fixWords(place, model));
      await running.says('[1] step 1: ');
      running.kill(signal);
      const { code, stdout } = await running.ended;
      expect([code, stdout.split('\n')[0]]).toEqual([1, 'Stopped before the end.']);
    }
    expect(await leftovers(place)).toEqual([]);
  });

  test('twice: it ends at once, and nothing stays', async () => {
    const model = await script(place, FIX, WAIT, DONE);
    const running = start(place, fixWords(place, model));
    await running.says('[1] step 1: ');
    await sleep(500);
    running.kill('SIGINT');
    await sleep(SECOND_PRESS_MS);
    const pressed = performance.now();
    running.kill('SIGINT');
    const { code, stdout } = await running.ended;
    expect(performance.now() - pressed).toBeLessThan(7000);
    expect([code, stdout]).toEqual([130, '']);
    expect(await leftovers(place)).toEqual([]);
    expect(await sessionsOf(place)).toMatchObject([
      { state: expect.stringMatching(/^(cancelled|interrupted)$/) },
    ]);
  });

  test('while the workspace is being made: nothing stays, once or twice', async () => {
    const model = await script(place, FIX, DONE);
    for (const presses of [1, 2]) {
      const running = start(place, fixWords(place, model));
      await running.says('opening a workspace');
      await sleep(100 * presses);
      running.kill('SIGINT');
      await sleep(SECOND_PRESS_MS);
      if (presses === 2) running.kill('SIGINT');
      const { code } = await running.ended;
      expect(presses === 1 ? [1] : [1, 130]).toContain(code);
      expect(await leftovers(place)).toEqual([]);
    }
  });

  test('before there is anything: 1, and a word about it', async () => {
    const model = await script(place, { ...DONE, delay_ms: 60_000 });
    const running = start(place, fixWords(place, model));
    await running.says('starting the model');
    running.kill('SIGINT');
    const { code, stderr } = await running.ended;
    expect(code).toBe(1);
    expect(stderr).not.toContain('fault of Vivarium');
    expect(await leftovers(place)).toEqual([]);
  });
});

describe('kill -9', () => {
  test('P11: the session is interrupted, its patch can be exported, and it goes on', async () => {
    const model = await script(place, FIX, WAIT, DONE);
    const running = start(place, fixWords(place, model, '--verify', 'python3 -m pytest -q'));
    await running.says('[1] step 1: ');
    running.kill('SIGKILL');
    expect(await running.ended).toMatchObject({ code: null, signal: 'SIGKILL' });

    const [session] = await sessionsOf(place);
    expect(session?.state).toBe('interrupted');
    const id = session?.sessionId ?? '';
    const patch = await run(place, 'show', id, '--patch');
    expect([patch.code, patch.stdout]).toEqual([
      0,
      expect.stringContaining('+    return sum(items)\n'),
    ]);

    // What the model is to do now does not wait; the script is found by its name.
    await writeFile(
      model.slice('script:'.length),
      [FIX, DONE].map((reply) => `${JSON.stringify(reply)}\n`).join(''),
    );
    const resumed = await run(place, 'resume', id);
    expect([resumed.code, resumed.stdout.split('\n')[0]]).toEqual([0, 'Fixed and verified.']);
    expect(resumed.stderr).toContain('[1] attempt 1 goes on after step 1 (seed 1)\n');
    expect(await leftovers(place)).toEqual([]);
    const again = await run(place, 'resume', id);
    expect([again.code, again.stderr.split('\n')[0]]).toEqual([
      2,
      `error: session ${id} has ended (verified); there is nothing to go on with`,
    ]);
  });
});
