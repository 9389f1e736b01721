import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonReportSchema } from '../../evaluation/index.ts';
import { Environment } from '../environment.ts';
import { createEvaluations } from './index.ts';
import { recordRun } from './recorded-run.ts';

let home: string;
let environment: Environment;

beforeAll(() => {
  home = mkdtempSync(path.join(tmpdir(), 'vivarium-report-'));
  environment = new Environment({ home, env: {} });
  recordRun(environment.store, { runId: 'aaa1', name: 'Shop: äöü/../x' });
  recordRun(environment.store, {
    ...{ runId: 'bbb1', entries: ['m x leaf', 'm x r2egym'], luck: 5 },
    tasks: Array.from({ length: 20 }, (_, n) => `task-${n}`),
  });
});

afterAll(async () => {
  await environment.close();
  rmSync(home, { recursive: true, force: true });
});

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

test('a report has a name that is safe on every system', async () => {
  const { name, bytes } = await createEvaluations(environment).report('aaa', { format: 'html' });
  expect(name).toBe('eval-Shop-x-aaa1.html');
  expect(text(bytes)).toMatch(/^<!doctype html>/);
});

test('a larger run, and two of them, are read beside the main thread, to the same end', async () => {
  const evaluations = createEvaluations(environment);
  const alone = await evaluations.report('bbb', { format: 'json' });
  const report = jsonReportSchema.parse(JSON.parse(text(alone.bytes)));
  expect([report.run.runId, report.cells.length, report.comparisons.length]).toEqual([
    'bbb1',
    120,
    1,
  ]);
  const compared = await evaluations.report('aaa', { with: 'bbb', format: 'json' });
  const both = jsonReportSchema.parse(JSON.parse(text(compared.bytes)));
  expect(both.other?.run.runId).toBe('bbb1');
  await expect(evaluations.report('aaa', { with: 'aaa1', format: 'md' })).rejects.toMatchObject({
    code: 'usage',
  });
  await expect(evaluations.report('zzz', { format: 'md' })).rejects.toMatchObject({
    code: 'run_not_found',
  });
});

test('a label stands in the next report, and can be taken back', async () => {
  const evaluations = createEvaluations(environment);
  const said = { label: 'too strict', note: 'asserts a message' };
  const cell = await evaluations.label('aaa', { task: 'tax', seed: 1 }, said);
  expect([cell.task, cell.seed, cell.label]).toEqual(['tax', 1, said]);
  expect(text((await evaluations.report('aaa', { format: 'csv' })).bytes)).toContain(
    'too strict,asserts a message',
  );
  const back = await evaluations.label('aaa', { task: 'tax', seed: 1 }, { label: null, note: '' });
  expect(back.label).toBeNull();
});

test('which cell is meant has to be clear', async () => {
  const { label } = createEvaluations(environment);
  const said = { label: 'x', note: '' };
  await expect(label('aaa', { task: 'tax' }, said)).rejects.toMatchObject({
    message: 'run aaa1 has 3 cells for task tax',
  });
  await expect(label('aaa', { task: 'tax', seed: 9 }, said)).rejects.toMatchObject({
    message: 'run aaa1 has no cell that began for task tax, seed 9',
  });
  const one = await label('bbb', { task: 'task-0', seed: 0, entry: 'm x r2egym' }, said);
  expect(one.entry).toBe(1);
});
