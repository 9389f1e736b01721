import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCliProcess } from '../../src-main/doors/cli/testing.ts';
import {
  addCell,
  bashTurn,
  INFRA,
  testRun,
  textTurn,
  type TestRun,
} from '../../src-main/evaluation/exports/testing.ts';
import { receiver } from '../../src-main/evaluation/exports/trackers/testing.ts';

const PATCH = Buffer.from(
  '--- a/a.py\r\n+++ b/a.py\r\n@@ -1 +1 @@\r\n-x\r\n+caf\xe9\r\n',
  'latin1',
);

let recorded: TestRun;
beforeAll(() => {
  recorded = testRun();
  addCell(recorded, { task: 'one', patch: PATCH, turns: [bashTurn('ls', 'a.py')] });
  addCell(recorded, { task: 'two', grading: INFRA, exitReason: 'workspace_lost' });
  addCell(recorded, { task: 'one', entry: 1, turns: [textTurn('ls', 'a.py')] });
});
afterAll(() => recorded.close());

const vivarium = (...words: string[]) =>
  runCliProcess(['eval', 'export', ...words], {
    ...{ env: { VIVARIUM_HOME: recorded.folder }, cwd: recorded.folder },
  });
const place = (...parts: string[]) => path.join(recorded.folder, ...parts);

test('a folder of files; what is left out is said on stderr', async () => {
  const { code, stdout, stderr } = await vivarium('r1', '--format', 'swe-bench', '--out', 'preds');
  expect([code, stdout]).toEqual([0, `${place('preds')}: 3 cells in 5 files\n`]);
  expect(stderr.split('\n')).toEqual([
    'no patch: one (frog x leaf, seed 0): it is not UTF-8, JSON cannot hold it; see patches/1-frog-x-leaf.seed-0/one.patch',
    'no patch: two (frog x leaf, seed 0): nothing is known of the model',
    '',
  ]);
  const patch = readFileSync(place('preds', 'patches', '1-frog-x-leaf.seed-0', 'one.patch'));
  expect(patch.equals(PATCH)).toBe(true);
});

test('--json prints the report; the app’s own version is in what is written', async () => {
  const { code, stdout } = await vivarium('r1', '--format', 'results', '--out', 'res', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ folder: place('res'), files: 10, cells: 3, notes: [] });
  const config = JSON.parse(readFileSync(place('res', '1-frog-x-leaf', 'config.json'), 'utf8')) as {
    version: string;
  };
  expect(config.version).toMatch(/^\d+\.\d+\.\d+/);
});

test('a folder that is not empty is left as it is', async () => {
  mkdirSync(place('full'));
  writeFileSync(place('full', 'mine'), 'x');
  const { code, stderr } = await vivarium('r1', '--format', 'atif', '--out', 'full');
  expect([code, stderr]).toEqual([
    3,
    `error: ${place('full')} is not empty\nnext: Choose a new or an empty folder: an export overwrites nothing.\n`,
  ]);
  expect(readdirSync(place('full'))).toEqual(['mine']);
});

test('sent only to the address that was typed', async () => {
  const server = await receiver();
  try {
    const words = ['--to', server.to, '--header', 'x-a: 1', '--header', 'x-b: 2'];
    const { code, stdout } = await vivarium('r1', '--format', 'otlp', ...words);
    expect([code, stdout]).toEqual([0, 'sent 3 cells\n']);
    expect(server.received.map(({ headers }) => [headers['x-a'], headers['x-b']])).toEqual(
      Array.from({ length: 3 }, () => ['1', '2']),
    );
  } finally {
    await server.close();
  }
  const gone = await vivarium('r1', '--format', 'otlp', '--to', server.to);
  expect(gone.code).toBe(3);
  expect(gone.stderr).toMatch(
    /^error: http:\/\/127\.0\.0\.1:\d+\/v1\/traces does not answer: .*\nnext: /,
  );
});

test.each([
  [[], 'there is no form to export'],
  [['--format', 'results'], 'there is no folder to write to'],
  [['--format', 'mlflow', '--out', 'x'], 'mlflow needs the address of its server'],
  [['--format', 'csv', '--out', 'x'], /argument 'csv' is invalid/],
])('wrong usage %j', async (words, message) => {
  const { code, stderr } = await vivarium('r1', ...words);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
  expect(existsSync(place('x'))).toBe(false);
});

test('a run that is not there', async () => {
  const { code, stderr } = await vivarium('zzz', '--format', 'results', '--out', 'x');
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error: /);
  expect(existsSync(place('x'))).toBe(false);
});
