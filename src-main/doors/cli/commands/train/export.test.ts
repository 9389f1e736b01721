import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  addCell,
  bashTurn,
  lastTurn,
  testRun,
  type TestRun,
} from '../../../../../test/support/recorded-run.ts';
import { runCliProcess } from '../../testing.ts';

let run: TestRun;
beforeEach(() => {
  run = testRun();
});
afterEach(() => run.close());

const cli = (words: readonly string[]) =>
  runCliProcess(['train', 'export', ...words], {
    env: { VIVARIUM_HOME: run.folder },
    cwd: run.folder,
  });

test('rows lie in the folder; what is in none is counted on stderr', async () => {
  addCell(run, { task: 'one', turns: [bashTurn('ls', 'a.py'), lastTurn('Done.')] });
  addCell(run, { task: 'two', turns: [lastTurn('No.')], grading: { resolved: false, reward: 0 } });
  const out = path.join(run.folder, 'out');
  const { code, stdout, stderr } = await cli(['r1', 'r1', '--format', 'openai', '--out', out]);
  expect([stdout, stderr, code]).toEqual([
    `${out}: 1 row of 1 task\n`,
    'left out: 1 attempt: not solved\n',
    0,
  ]);
  expect(readFileSync(path.join(out, 'train.jsonl'), 'utf8')).toMatch(/^\{"messages":.*\}\n$/);
});

test('no row, no form: one line of what is wrong and one of what to do', async () => {
  const none = await cli(['r1', '--format', 'openai', '--out', path.join(run.folder, 'out')]);
  expect([none.code, none.stdout, none.stderr]).toEqual([
    1,
    '',
    'error: no attempt is left for a row: the runs have none\n' +
      'next: Loosen the filters, or name runs with more attempts.\n',
  ]);
  expect((await cli(['r1'])).stderr).toBe(
    'error: there is no form to export\n' +
      'next: Name one with --format; `vivarium train export --help` lists them.\n',
  );
});

test('--dry-run writes nothing and shows each row', async () => {
  addCell(run, { task: 'one', turns: [lastTurn('Done.')] });
  addCell(run, { task: 'two', turns: [lastTurn('Ready')] });
  const { code, stdout, stderr } = await cli([
    'r1',
    '--format',
    'trl',
    '--dry-run',
    '--cutoff',
    '9',
  ]);
  expect([stdout, stderr, code]).toEqual([
    'train.jsonl:1 one: skipped; ~33 tokens: 0 replies, 0 read only, 33 cut\n' +
      '  no reply is left of it\n' +
      'train.jsonl:2 two: skipped; ~33 tokens: 0 replies, 0 read only, 33 cut\n' +
      '  no reply is left of it\n' +
      '2 rows of 2 tasks\n',
    '',
    0,
  ]);
  expect((await cli(['r1', '--format', 'trl', '--cutoff', '9'])).stderr).toBe(
    'error: --cutoff goes with --dry-run\nnext: Leave it out: an export cuts nothing.\n',
  );
});

test.each([
  [['--format', 'openai', '--unpaired'], '--unpaired is for preference'],
  [['--format', 'harbor'], '--dry-run is for forms that an importer reads row by row'],
  [['--format', 'sharegpt', '--tools-json'], '--tools-json is for openai, trl and preference'],
])('options of another form are refused: %j', async (words, message) => {
  const { code, stderr } = await cli(['r1', ...words, '--dry-run']);
  expect([code, stderr]).toEqual([
    2,
    `error: ${message}\nnext: Leave it out, or change --format.\n`,
  ]);
});

test('--tokenizer: for rows alone, and a model that can be read', async () => {
  addCell(run, { task: 'one', turns: [lastTurn('Done.')] });
  const asked = (format: string, tokenizer: string) =>
    cli([
      'r1',
      '--format',
      format,
      '--out',
      path.join(run.folder, 'out'),
      '--tokenizer',
      tokenizer,
    ]);
  expect((await asked('preference', 'frog')).stderr).toBe(
    'error: --tokenizer is for sharegpt, openai and trl, or for a dry run of preference\n' +
      'next: Leave it out, or change --format.\n',
  );
  expect((await asked('trl', 'http://127.0.0.1:1/v1')).stderr).toBe(
    'error: http://127.0.0.1:1/v1 brings no tokenizer that can be read here\n' +
      'next: Name a GGUF of the same model: a file, or a model of `vivarium models list`.\n',
  );
  expect((await asked('trl', './none.gguf')).stderr).toMatch(/^error: .*none\.gguf.*\nnext: .*\n$/);
});
