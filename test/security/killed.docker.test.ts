import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectEngine, listOwned, type Engine } from '../../src-main/workspaces/index.ts';
import {
  DONE,
  FIX,
  fixWords,
  makePlace,
  READ,
  removePlace,
  run,
  script,
  start,
  type Place,
} from '../cli/command.ts';
import { processesNaming } from '../real/leftovers.ts';

const TADPOLE = path.resolve(import.meta.dirname, '../../resources/models/tadpole.gguf');
const KILLS = 20;
const LONGEST_MS = 5_000;
/** Of the kills that aim at one moment. */
const MOST_KILLS = 40;

let place: Place;
let engine: Engine;
let temporary: string;
const before = process.env['TMPDIR'];

beforeEach(async () => {
  place = await makePlace();
  engine = await connectEngine();
  temporary = path.join(place.folder, 'tmp');
  await mkdir(temporary);
  // Every process of the app has it in its environment, the llama.cpp child included.
  process.env['TMPDIR'] = temporary;
});
afterEach(async () => {
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
  await removePlace(place);
});

/** Whatever of the app is still there: containers, volumes, processes (and with them, ports). */
async function left(): Promise<string[]> {
  const { containers, volumes } = await listOwned(engine, place.home);
  return [
    ...containers.map(({ id, state }) => `container ${id} ${state}`),
    ...volumes.map(({ name }) => `volume ${name}`),
    ...(await processesNaming(place.folder)).map((text) => `process ${text}`),
  ];
}

async function leftAfter(limitMs: number): Promise<string[]> {
  const end = performance.now() + limitMs;
  while (performance.now() < end && (await left()).length > 0) await sleep(100);
  return left();
}

test(
  'after kill -9 at 20 random moments nothing of the app is left within 5 s, its model server included',
  { timeout: 600_000 },
  async () => {
    const verify = ['--verify', 'python3 -m pytest -q'];
    const scripted = fixWords(place, await script(place, READ, FIX, DONE), ...verify);
    const real = fixWords(place, `gguf:${TADPOLE}`, '--scaffold', 'tadpole', '--max-steps', '4');
    const kinds = [
      { words: scripted, durationMs: 0 },
      { words: real, durationMs: 0 },
    ];
    for (const kind of kinds) {
      const begun = performance.now();
      await run(place, ...kind.words);
      kind.durationMs = performance.now() - begun;
      expect(await left()).toEqual([]);
    }
    for (let kill = 0; kill < KILLS; kill += 1) {
      const { words, durationMs } = kinds[kill % 2] ?? { words: [], durationMs: 0 };
      const moment = Math.round(Math.random() * durationMs);
      const running = start(place, words);
      await sleep(moment);
      running.kill('SIGKILL');
      await running.ended;
      expect(await leftAfter(LONGEST_MS), `killed after ${moment} ms`).toEqual([]);
    }
    expect((await run(place, 'clean')).code).toBe(0);
    expect(await readdir(path.join(place.home, 'owners'))).toEqual([]);
    expect(await readdir(temporary)).toEqual([]);
  },
);

test(
  'a kill between the making of a container and its start leaves neither',
  { timeout: 300_000 },
  async () => {
    const words = fixWords(place, await script(place, FIX, DONE));
    let met = 0;
    for (let kill = 0; kill < MOST_KILLS && met < 2; kill += 1) {
      const moment = (kill * 6) % 60;
      const running = start(place, words);
      await running.says('opening a workspace');
      await sleep(moment);
      running.kill('SIGKILL');
      await running.ended;
      const { containers } = await listOwned(engine, place.home);
      if (containers.some(({ state }) => state === 'created')) met += 1;
      expect(await leftAfter(LONGEST_MS), `killed after ${moment} ms`).toEqual([]);
    }
    // Otherwise the moment that is meant was not met.
    expect(met).toBe(2);
  },
);
