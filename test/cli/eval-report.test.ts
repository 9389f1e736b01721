import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordRun } from '../../src-main/core/evaluation/recorded-run.ts';
import { runCliProcess } from '../../src-main/doors/cli/testing.ts';
import { openStore } from '../../src-main/store/index.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vivarium-eval-report-'));
  const store = openStore(path.join(folder, 'vivarium.db'));
  recordRun(store, { runId: 'aaa1', name: 'shop' });
  recordRun(store, { runId: 'bbb1', name: 'shop', luck: 3 });
  store.close();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const vivarium = (...words: string[]) =>
  runCliProcess(['eval', ...words], { env: { VIVARIUM_HOME: folder }, cwd: folder });

test('a page is written beside the user, and its path is printed', async () => {
  const { code, stdout } = await vivarium('report', 'aaa');
  expect([code, stdout]).toEqual([0, `${path.join(folder, 'eval-shop-aaa1.html')}\n`]);
  expect(readFileSync(stdout.trim(), 'utf8')).toContain('Evaluation: shop');
});

test('data goes to stdout, or to the file of --out', async () => {
  const csv = await vivarium('report', 'aaa', '--format', 'csv');
  expect([csv.code, csv.stdout.split('\r\n').length]).toEqual([0, 1 + 6 + 1]);
  const out = path.join(folder, 'compared.md');
  const md = await vivarium('report', 'aaa', '--compare', 'bbb', '--format', 'md', '--out', out);
  expect(md.stdout).toBe(`${out}\n`);
  expect(readFileSync(out, 'utf8')).toMatch(/## Comparison/);
});

test('a label is put on record', async () => {
  const { stdout } = await vivarium('label', 'aaa', 'tax', '--seed', '1', '--label', 'too strict');
  expect(stdout).toBe('tax, seed 1: label too strict\n');
  const { stdout: json } = await vivarium('report', 'aaa', '--format', 'json');
  expect(JSON.parse(json)).toMatchObject({ labels: [{ label: 'too strict', cells: 1 }] });
});

test('wrong usage says what is right, and writes nothing', async () => {
  const before = readdirSync(folder).length;
  const twice = await vivarium('report', 'aaa', '--compare', 'aaa1');
  expect([twice.code, twice.stderr]).toEqual([
    2,
    'error: run aaa1 cannot be compared with itself\nnext: Name another run; the entries of one run are compared in its report anyway.\n',
  ]);
  const nowhere = await vivarium(
    'report',
    'aaa',
    '--out',
    path.join(folder, 'vivarium.db', 'x.html'),
  );
  expect(nowhere.code).toBe(3);
  const missing = await vivarium('label', 'aaa', 'tax', '--seed', '1');
  expect(missing.stderr).toMatch(/^error: there is no label\n/);
  expect(readdirSync(folder).length).toBe(before);
  expect(existsSync(path.join(folder, 'x.html'))).toBe(false);
}, 30_000);
