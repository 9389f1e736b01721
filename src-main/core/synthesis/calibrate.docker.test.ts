import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DONE, openEvalPlace, SOLVE, type EvalPlace } from '../../../test/support/eval-place.ts';
import { appFolder } from '../../lib/index.ts';

const DEMO = path.join(appFolder(), 'resources/tasks/demo');

let place: EvalPlace;
beforeEach(async () => {
  place = await openEvalPlace();
});
afterEach(() => place.dispose());

const calibrate = (model: string, more: object = {}) =>
  place.core().synthesis.calibrate({ folder: place.tasks, model, scaffold: 'leaf', ...more });
const scores = ({ tasks }: Awaited<ReturnType<typeof calibrate>>) =>
  tasks.map(({ name, solved, probes, why }) => `${name} ${solved}/${probes} ${why}`);

test('the demonstration tasks are probed until decided; the same call again probes no more', async () => {
  await cp(DEMO, place.tasks, { recursive: true });
  const model = `script:${path.join(DEMO, 'replies/hasty.jsonl')}`;
  const out = path.join(place.home, '../kept');
  const first = await calibrate(model, { out });
  expect(scores(first)).toEqual([
    'merge-ranges 0/5 never_solved',
    'slug-words 1/4 in_band',
    'ticket-age 5/5 too_easy',
  ]);
  expect(first).toMatchObject({
    modelName: 'hasty',
    scaffoldName: 'leaf',
    runs: expect.objectContaining({ length: 2 }),
  });
  expect(await readdir(out)).toEqual(['calibration.json', 'slug-words']);
  const copied = await place.core().tasks.list(out);
  expect(copied.tasks.map(({ hash }) => hash)).toEqual([first.tasks[1]?.hash]);

  await place.closeCore();
  const page = path.join(place.home, '../page.html');
  const again = await calibrate(model, { page });
  expect(await readFile(page, 'utf8')).toContain('<h1>Calibration: hasty x leaf</h1>');
  expect(again.runs).toEqual([]);
  expect(again.tasks).toEqual(first.tasks);
  const kept: unknown = JSON.parse(await readFile(again.file, 'utf8'));
  expect(kept).toMatchObject({ version: 1, calibrations: [{ tasks: first.tasks }] });
  await expect(calibrate(model, { out })).rejects.toMatchObject({ code: 'out_unwritable' });
});

test('verdicts of any run with the same settings count; other contents, limits and models do not', async () => {
  await place.addTask('one');
  const good = await place.script('good', SOLVE);
  const lazy = await place.script('lazy', [DONE]);
  const run = (more: object) =>
    place.core().evaluations.run({ tasks: place.tasks, models: [good], scaffolds: [], ...more });
  await run({ seeds: [1, 6] });
  await run({ seeds: [1, 2], maxSteps: 1 });
  const settings = { probes: 2, maxProbes: 2 };
  expect(await calibrate(good, settings)).toMatchObject({ runs: [], tasks: [{ solved: 2 }] });
  const other = await calibrate(lazy, settings);
  expect(scores(other)).toEqual(['one 0/2 never_solved']);
  const { calibrations } = JSON.parse(await readFile(other.file, 'utf8')) as {
    calibrations: { modelName: string }[];
  };
  expect(calibrations.map(({ modelName }) => modelName)).toEqual(['good', 'lazy']);

  await writeFile(path.join(place.tasks, 'one/instruction.md'), 'Fix one now.\n');
  const changed = await calibrate(good, settings);
  expect(changed.runs.length).toBe(1);
  const { cells } = await place.core().evaluations.show(changed.runs[0] ?? '');
  expect(cells.map(({ seed }) => seed)).toEqual([0, 1]);

  await rm(changed.file);
  await mkdir(changed.file);
  await expect(calibrate(good, settings)).rejects.toMatchObject({ code: 'out_unwritable' });
});

test('what comes to no verdict does not count and is not tried for ever', async () => {
  await place.addTask('one', { image: 'vivarium-not-here:1' });
  await place.addTask('two');
  const report = await calibrate(await place.script('good', SOLVE), { probes: 2, maxProbes: 2 });
  expect(scores(report)).toEqual(['one 0/0 not_probed', 'two 2/2 too_easy']);
  expect(report.runs.length).toBe(1);
});
