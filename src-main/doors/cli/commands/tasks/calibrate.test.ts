import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { appFolder } from '../../../../lib/index.ts';
import { runCliProcess } from '../../testing.ts';

const DEMO = path.join(appFolder(), 'resources/tasks/demo');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'cli-calibrate-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test.each([
  [[], 'there is no model to probe'],
  [['--model', 'frog', '--probes', '9', '--max-probes', '3'], '9 probes of each task are more'],
  [['--band', '0.9,0.1'], 'the lower one first'],
  [['--band', '0.1'], 'the lower one first'],
  [['--keep-unsolved', '1'], 'It must be a share below 1'],
  [['--model', 'frog', '--iterate', '2'], 'no repository to make more of is named'],
  [['--model', 'frog', '--iterate', '2', '--repo', '.'], 'demo was not made by'],
  [['--iterate', '0'], 'a whole number of at least 1'],
  [['--more', 'x'], 'a whole number of at least 1'],
  [['--class-share', '1.5'], 'It must be a share, 0 to 1'],
])('%j is wrong usage, told before anything is probed', async (words, message) => {
  const env = { VIVARIUM_HOME: path.join(folder, 'home') };
  const { code, stderr } = await runCliProcess(['tasks', 'calibrate', DEMO, ...words], { env });
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test('a folder with something in it is no place for copies, told before anything is probed', async () => {
  await writeFile(path.join(folder, 'mine.txt'), 'mine');
  const env = { VIVARIUM_HOME: path.join(folder, 'home') };
  const words = ['tasks', 'calibrate', DEMO, '--model', 'frog', '--out', folder, '--json'];
  const { code, stdout } = await runCliProcess(words, { env });
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'out_unwritable' } });
});
