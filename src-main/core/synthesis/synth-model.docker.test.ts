import { execFile } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bash, DONE, openEvalPlace, type EvalPlace } from '../../../test/support/eval-place.ts';
import { openShop, SHOP, type ShopRepository } from '../../../test/support/shop-repository.ts';
import { readTaskSet, type Task } from '../../evaluation/index.ts';
import type { SynthAsked, SynthReport } from './types.ts';

const run = promisify(execFile);
const IMAGE = process.env['VIVARIUM_TEST_IMAGE'] ?? 'vivarium-base:latest';

const write = (body: string) =>
  bash(`sed -i 's/raise NotImplementedError/${body}/' shop.py && cat shop.py`);
const CLEAN = 'Eleven things for one each should cost six in all, but a higher sum comes out.';
const REWRITES = [
  { when: 'The body of price' },
  ...[write('return count * each'), DONE],
  { when: 'The body of label' },
  ...[write('return name.upper().strip()'), DONE],
];
const statement = (content: string) => [{ when: 'Failing tests (' }, { content }];

let place: EvalPlace;
let shop: ShopRepository;
beforeEach(async () => {
  place = await openEvalPlace();
  shop = await openShop();
});
afterEach(async () => {
  await place.dispose();
  await shop.dispose();
});

const synth = (model: string | undefined, more: Partial<SynthAsked> = {}): Promise<SynthReport> =>
  place.core().synthesis.tasks({
    ...{
      repository: shop.folder,
      out: place.tasks,
      generators: ['rewrite'],
      target: 5,
      model,
      image: IMAGE,
    },
    ...{ reruns: 1, workers: 1 },
    ...more,
  });

/** Shop as the task's tree has it, and with its fix. */
async function fixed({ folder }: Task): Promise<{ bad: string; good: string }> {
  const tree = await mkdtemp(path.join(place.home, 'tree-'));
  await run('tar', ['-xf', path.join(folder, 'environment/repository.tar'), '-C', tree]);
  const read = () => readFile(path.join(tree, 'shop.py'), 'utf8');
  const bad = await read();
  await run('git', ['apply', path.join(folder, 'solution/fix.patch')], { cwd: tree });
  return { bad, good: await read() };
}

const instruction = ({ folder }: Task) => readFile(path.join(folder, 'instruction.md'), 'utf8');
const provenance = ({ metadata }: Task) => metadata['vivarium'];

test('rewrite: what breaks a test is a task with the words of the model; the rest is dropped', async () => {
  const model = await place.script('writer', [...REWRITES, ...statement(CLEAN)]);
  const before = await shop.fingerprint();
  const report = await synth(model);
  expect(report).toMatchObject({
    byMethod: [{ generator: 'rewrite', method: 'rewrite_function', tried: 2, validated: 1 }],
    refusals: [{ refusal: 'no_test_tells', count: 1 }],
  });
  const [task] = (await readTaskSet(place.tasks)).tasks;
  if (task === undefined) throw new Error('no task was written');
  expect(await instruction(task)).toContain(CLEAN);
  expect(task.expected).toEqual({
    failToPass: ['tests/test_money.py::test_cost'],
    passToPass: ['tests/test_money.py::test_tag'],
  });
  expect(provenance(task)).toMatchObject({ statement_by: 'model', symbol: 'price', steps: 2 });
  const { bad, good } = await fixed(task);
  expect([bad.includes('    return count * each\n'), good]).toEqual([true, SHOP]);
  expect(await shop.fingerprint()).toBe(before);

  const sessions = place.core().sessions();
  expect(sessions.map(({ state }) => state)).toEqual(['patched', 'patched']);
  expect(await synth(model)).toMatchObject({ tried: 2, validated: 1 });
  expect(place.core().sessions()).toHaveLength(2);
  await place.closeCore();
  expect(await place.remains()).toEqual({ containers: 0, volumes: 0, snapshots: [] });
});

test('featadd: a feature that the model proposes; words that leak twice give way to a template', async () => {
  const model = await place.script('adder', [
    { when: 'Files of the project:' },
    { content: 'Let prices be no more than five.' },
    { when: 'Let prices be no more than five.' },
    ...[bash("sed -i 's/total = count \\* each/total = min(5, count * each)/' shop.py"), DONE],
    ...statement(`${CLEAN} See line 3 of shop.py.`),
  ]);
  const report = await synth(model, { generators: ['featadd'], target: 1 });
  expect(report).toMatchObject({ validated: 1, tried: 1 });
  const [task] = (await readTaskSet(place.tasks)).tasks;
  if (task === undefined) throw new Error('no task was written');
  expect(provenance(task)).toMatchObject({
    ...{ generator: 'featadd', statement_by: 'template', bug_class: 'interface' },
    feature: 'Let prices be no more than five.',
  });
  expect(await instruction(task)).not.toContain('shop.py');
  expect((await fixed(task)).good).toBe(SHOP);
});

test('an attempt without a change is told; a stop leaves no server, container or snapshot', async () => {
  const idle = await place.script('idle', [DONE]);
  expect(await synth(idle)).toMatchObject({
    ...{ validated: 0, refusals: [{ refusal: 'nothing_changed', count: 2 }] },
  });
  const synthFile = await readFile(path.join(place.tasks, 'synth.json'), 'utf8');
  expect(synthFile).toMatch(/"detail": "session \w+ ended as agent"/);
  const stop = new AbortController();
  const slow = await place.script('slow', [{ content: 'Wait.', delay_ms: 60_000 }]);
  const onProgress: SynthAsked['onProgress'] = (progress) => {
    if (progress.kind === 'phase' && progress.text.startsWith('session '))
      stop.abort(new Error('enough'));
  };
  const stopped = synth(slow, { out: `${place.tasks}-2`, signal: stop.signal, onProgress });
  await expect(stopped).rejects.toThrow('enough');
  await place.closeCore();
  expect(await place.remains()).toEqual({ containers: 0, volumes: 0, snapshots: [] });
});

test('without a model there is no rewrite', async () => {
  await expect(synth(undefined)).rejects.toMatchObject({
    code: 'usage',
    message: 'the generator rewrite needs a model',
  });
});

test('what keeps the tests from running is told: a module that the image lacks, a file that does not load', async () => {
  const generators: SynthAsked['generators'] = ['mutate'];
  await shop.commit('tests/test_time.py', 'import freezegun\n');
  await expect(synth(undefined, { generators })).rejects.toMatchObject({
    code: 'task_invalid',
    message: 'the tests tell nothing without a bug: the image lacks freezegun',
    next: 'Build an image that has freezegun, and name it with --image.',
  });
  await shop.commit('tests/test_time.py', 'import shop\nshop.nothing\n');
  await expect(synth(undefined, { generators })).rejects.toThrow(
    "tests/test_time.py cannot be loaded: AttributeError: module 'shop' has no attribute 'nothing'",
  );
});
