import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { appFolder } from '../../../../lib/index.ts';
import { runCliProcess } from '../../testing.ts';

const DEMO = path.join(appFolder(), 'resources/tasks/demo');
const ROWS = path.join(appFolder(), 'test/fixtures/tasks/swe-bench/rows.json');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'cli-tasks-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const run = (...words: string[]) =>
  runCliProcess(['tasks', ...words], { env: { VIVARIUM_HOME: path.join(folder, 'home') } });

test('a set is listed, with what is no task', async () => {
  const set = path.join(folder, 'set');
  await cp(DEMO, set, { recursive: true });
  await rm(path.join(set, 'slug-words/tests/test.sh'));
  const listed = await run('list', set);
  expect(listed).toMatchObject({
    code: 0,
    stderr: 'refused slug-words: task slug-words: tests/test.sh is missing\n',
  });
  expect(listed.stdout.split('\n').map((line) => line.split(/ +/))).toEqual([
    ['TASK', 'CONTENT', 'TESTS', 'READER', 'IMAGE'],
    [
      'merge-ranges',
      expect.stringMatching(/^[0-9a-f]{12}$/),
      '2/3',
      'junit',
      'vivarium-base:latest',
    ],
    ['ticket-age', expect.stringMatching(/^[0-9a-f]{12}$/), '1/4', 'junit', 'vivarium-base:latest'],
    [''],
  ]);
});

test('an import writes tasks and says what is next', async () => {
  const out = path.join(folder, 'out');
  const imported = await run('import', ROWS, '--format', 'swe-bench', '--out', out, '--json');
  expect(imported.code).toBe(0);
  expect(JSON.parse(imported.stdout)).toEqual({
    out,
    written: [{ name: 'example__calc-1', image: 'vivarium-swe-demo:latest', notes: [] }],
    refused: [],
  });
  expect(await readdir(out)).toEqual(['example__calc-1']);
});

test.each([
  [['import', ROWS, '--out', 'x'], 'no format is named'],
  [['import', ROWS, '--format', 'swe-bench'], 'no folder for the tasks is named'],
  [
    ['import', 'nowhere.json', '--format', 'patcheval', '--out', 'x'],
    'nowhere.json cannot be read',
  ],
  [['from-releases', 'list.json', '--out', 'x'], 'no folder of source distributions is named'],
  [['add', '--verify', 'pytest', '--issue', 'x', '--out', 'x'], 'no commit is named'],
  [['add', '--commit', 'HEAD', '--verify', 'pytest', '--out', 'x'], 'there is no issue to fix'],
  [['list', '/nowhere'], 'the folder /nowhere cannot be read'],
  [['preflight', ROWS], 'is no folder'],
])('%j is refused with what to do', async (words, message) => {
  const ended = await run(...words);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain(message);
  expect(ended.stderr).toMatch(/^next: /m);
});
