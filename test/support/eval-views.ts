/** The screens of evaluations, on a generated record of runs. */
import path from 'node:path';
import { recordRun } from '../../src-main/core/evaluation/recorded-run.ts';
import { processIdentity } from '../../src-main/lib/index.ts';
import { openStore } from '../../src-main/store/index.ts';
import { cellsText } from '../../src-renderer/text/en/run-cells.ts';
import { evaluationsText } from '../../src-renderer/text/en/evaluations.ts';
import { runText } from '../../src-renderer/text/en/run.ts';
import type { View } from './views.ts';

const TASKS = [
  ...['astropy__astropy-12907', 'astropy__astropy-13033', 'django__django-10097'],
  ...['django__django-10554', 'django__django-10880', 'django__django-10914'],
  ...['matplotlib__matplotlib-20488', 'pallets__flask-5014', 'psf__requests-1142'],
  ...['pydata__xarray-2905', 'pylint-dev__pylint-4551', 'pytest-dev__pytest-10051'],
  ...['scikit-learn__scikit-learn-10297', 'sphinx-doc__sphinx-10323', 'sympy__sympy-11618'],
  ...['sympy__sympy-12096', 'sympy__sympy-12419', 'sympy__sympy-12481'],
];
const ENTRIES = ['FrogNano-4B-Q8_0 x leaf', 'FrogNano-4B-Q8_0 x r2egym'];

/** Three runs in the record of a home that nobody has open: one with two entries, one before, one that goes on. */
export function recordRuns(home: string): void {
  const store = openStore(path.join(home, 'vivarium.db'));
  recordRun(store, { runId: 'run-1', name: 'verified, first try', tasks: TASKS, luck: 3 });
  recordRun(store, {
    runId: 'run-2',
    name: 'verified, both scaffolds',
    tasks: TASKS,
    entries: ENTRIES,
  });
  const begun = TASKS.length * 2;
  recordRun(store, {
    ...{ runId: 'run-3', name: 'verified, again', tasks: TASKS, seeds: 3, luck: 11 },
    // Its owner lives as long as whoever looks at it.
    ...{ state: 'running', begun, running: 4, owner: processIdentity() },
  });
  store.close();
}

export const EVAL_VIEWS: View[] = [
  { name: 'evaluations', at: '#/evaluations' },
  { name: 'run', at: '#/evaluations/run-2' },
  {
    name: 'run-matrix',
    at: '#/evaluations/run-2/matrix',
    act: async (page) => {
      await page.getByRole('grid', { name: cellsText.grid }).focus();
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
      await page.getByText(cellsText.grading.title).waitFor();
    },
  },
  { name: 'run-failures', at: '#/evaluations/run-2/failures' },
  {
    name: 'run-compare',
    at: '#/evaluations/run-2/compare?with=run-1',
    act: async (page) => {
      await page.getByText(runText.compare.p).first().waitFor();
    },
  },
];

/** Parts behind them, for axe alone. */
export const MORE_EVAL_VIEWS: View[] = [
  { name: 'run: comparison of its entries', at: '#/evaluations/run-2/compare' },
  { name: 'run: goes on', at: '#/evaluations/run-3' },
  { name: 'run: is not there', at: '#/evaluations/nobody' },
  {
    name: 'run: filtered, nothing like that',
    at: '#/evaluations/run-2/matrix?text=nothing',
    act: async (page) => {
      await page.getByText(cellsText.nothing.title).waitFor();
    },
  },
  { name: 'run: filtered', at: '#/evaluations/run-2/matrix?outcome=never_fixed' },
  {
    name: 'run: label',
    at: '#/evaluations/run-2/matrix',
    act: async (page) => {
      await page.getByRole('grid', { name: cellsText.grid }).focus();
      await page.keyboard.press('ArrowDown');
      await page.getByText(cellsText.grading.title).waitFor();
      await page.keyboard.press('l');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'run: report',
    at: '#/evaluations/run-2',
    act: async (page) => {
      await page.getByRole('button', { name: runText.actions.report }).click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'run: curves as tables',
    at: '#/evaluations/run-2',
    act: async (page) => {
      await page.getByRole('button', { name: runText.result.asTable }).click();
    },
  },
  {
    name: 'evaluations: new run',
    at: '#/evaluations',
    act: async (page) => {
      await page.getByRole('button', { name: evaluationsText.start.action }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'session of a cell', at: '#/session/run-2-0-django__django-10097-1' },
  {
    name: 'session of a cell: grading',
    at: '#/session/run-2-0-django__django-10097-1/verification',
  },
];
