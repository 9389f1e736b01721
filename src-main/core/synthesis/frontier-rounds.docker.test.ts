import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bash, DONE, openEvalPlace, type EvalPlace } from '../../../test/support/eval-place.ts';
import { openShop, SHOP, type ShopRepository } from '../../../test/support/shop-repository.ts';
import { readTaskSet } from '../../evaluation/index.ts';
import { provenanceOf } from './provenance-of.ts';
import type { CalibrateAsked, CalibrationReport } from './types.ts';

const IMAGE = process.env['VIVARIUM_TEST_IMAGE'] ?? 'vivarium-base:latest';

/** Solves what breaks the test of prices with its first seed, and nothing else. */
const SCRIPT = [
  ...[DONE, { when: 'test_cost', seed: 0 }],
  ...[bash(`cat > shop.py <<'END'\n${SHOP}END`), DONE],
];

let place: EvalPlace;
let shop: ShopRepository;
let model: string;
beforeEach(async () => {
  place = await openEvalPlace();
  shop = await openShop();
  model = await place.script('half', SCRIPT);
});
afterEach(async () => {
  await place.dispose();
  await shop.dispose();
});

function calibrate(rounds: number, more: Partial<CalibrateAsked> = {}): Promise<CalibrationReport> {
  return place.core().synthesis.calibrate({
    ...{ folder: place.tasks, model, scaffold: 'leaf', probes: 2, maxProbes: 2 },
    rounds: { repository: shop.folder, rounds, more: 1 },
    ...more,
  });
}

const classes = async () =>
  (await readTaskSet(place.tasks)).tasks.map((task) => provenanceOf(task).bug_class);
const kept = async () =>
  JSON.parse(await readFile(path.join(place.tasks, 'frontier.json'), 'utf8')) as {
    frontiers: { tasksHash: string; rounds: { done: boolean }[] }[];
  };

test('rounds make more of the classes at the frontier; a stopped one is gone on with', async () => {
  const core = place.core();
  await core.synthesis.tasks({
    ...{ repository: shop.folder, out: place.tasks, generators: ['mutate'], target: 3 },
    ...{ image: IMAGE, reruns: 1, workers: 1 },
  });
  const before = await shop.fingerprint();
  const first = await calibrate(0, { rounds: undefined });
  const wanted = first.frontier.classes.filter(({ atFrontier }) => atFrontier > 0);
  const names = wanted.map(({ kind }) => kind);
  expect(wanted.length).toBeGreaterThan(0);
  expect(wanted.length).toBeLessThan(first.frontier.classes.length);
  const had = await classes();

  const stop = new AbortController();
  const stopped = calibrate(1, {
    signal: stop.signal,
    onSynth: ({ kind }) => {
      if (kind === 'baseline') stop.abort(new Error('enough'));
    },
  });
  await expect(stopped).rejects.toThrow('enough');
  await place.closeCore();
  expect((await kept()).frontiers[0]?.rounds.map(({ done }) => done)).toEqual([false]);

  const report = await calibrate(1);
  expect(report.frontier.rounds).toMatchObject([{ target: 4, done: true, generators: ['mutate'] }]);
  expect(report.tasks.map(({ probes }) => probes)).toEqual([2, 2, 2, 2]);
  const now = await classes();
  for (const one of had) now.splice(now.indexOf(one), 1);
  expect([now.length, names.includes(now[0] ?? '')]).toEqual([1, true]);

  expect((await kept()).frontiers[0]?.tasksHash).toBe((await readTaskSet(place.tasks)).hash);

  const again = await calibrate(1);
  expect([again.runs, again.tasks.length]).toEqual([[], 4]);
  expect(await shop.fingerprint()).toBe(before);

  await shop.commit('more.txt', 'more');
  await expect(calibrate(2)).rejects.toThrow('the tasks were made of commit');
}, 400_000);

test('of tasks that synthesis did not make there is no round', async () => {
  await place.addTask('one');
  await expect(calibrate(1)).rejects.toMatchObject({ code: 'usage' });
});
