import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src-main/store/index.ts';
import { cellsText } from '../../src-renderer/text/en/run-cells.ts';
import { evaluationsText } from '../../src-renderer/text/en/evaluations.ts';
import { runText } from '../../src-renderer/text/en/run.ts';
import { faultsIn, FIRST_LOOK } from '../support/axe.ts';
import {
  connected,
  endServe,
  hasBrowser,
  launchBrowser,
  openTab,
  serveApp,
  type Served,
  type Tab,
} from '../support/browser.ts';
import { EVAL_VIEWS, MORE_EVAL_VIEWS, recordRuns } from '../support/eval-views.ts';
import { openView } from '../support/views.ts';

describe.skipIf(!hasBrowser)('evaluations in the app', () => {
  let browser: Browser;
  let folder: string;
  let home: string;
  let served: Served;
  let tab: Tab;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'vivarium-evaluations-'));
    home = path.join(folder, 'home');
    recordRuns(home);
    browser = await launchBrowser();
    served = await serveApp({ folder, home, repository: folder });
    tab = await openTab(browser, served.link(), { reducedMotion: 'reduce' });
    await connected(tab.page);
  });
  afterAll(async () => {
    await browser.close();
    await endServe(served);
    await rm(folder, { recursive: true, force: true });
  });

  it.each([...EVAL_VIEWS, ...MORE_EVAL_VIEWS])('axe finds nothing in $name', async (view) => {
    await tab.page.emulateMedia(FIRST_LOOK);
    await openView(tab.page, `http://127.0.0.1:${served.port}`, view);
    expect([...(await faultsIn(tab.page)), ...tab.findings.splice(0)]).toEqual([]);
  });

  it('keys alone lead from anywhere to the step of an attempt, and back to its run', async () => {
    const { page } = tab;
    await openView(page, `http://127.0.0.1:${served.port}`, { name: '', at: '#/sessions' });
    await page.keyboard.press('g');
    await page.keyboard.press('v');
    await page.getByRole('grid', { name: evaluationsText.list }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'verified, both scaffolds' }).waitFor();
    await page.keyboard.press('2');
    const grid = page.getByRole('grid', { name: cellsText.grid });
    await grid.focus();
    // Marks the first cell, then moves to the second entry's second seed of the third task.
    for (const key of ['j', 'j', 'j', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight'])
      await page.keyboard.press(key);
    const marked = page.getByRole('gridcell', { selected: true });
    expect(await marked.getAttribute('aria-label')).toMatch(
      /^django__django-10097, FrogNano-4B-Q8_0 x r2egym, seed 1: /,
    );
    await page.keyboard.press('Enter');
    await page.waitForURL(/#\/session\/run-2-1-django__django-10097-1\?step=\d+$/);
    const back = page.getByRole('link', { name: 'Part of the run verified, both scaffolds' });
    await back.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/#\/evaluations\/run-2\/matrix\?text=django__django-10097$/);
    await page.getByText(cellsText.shown(1, 18)).waitFor();
    expect(tab.findings.splice(0)).toEqual([]);
  });

  it('a label by hand is counted, and found again', async () => {
    const { page } = tab;
    const at = '#/evaluations/run-2/matrix';
    await openView(page, `http://127.0.0.1:${served.port}`, { name: '', at });
    await page.getByRole('gridcell', { name: /psf__requests-1142.*leaf, seed 0/ }).click();
    await page.getByRole('button', { name: cellsText.panel.addLabel }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox').fill('unfair test');
    // Closes the proposals.
    await page.keyboard.press('Tab');
    await dialog.getByRole('textbox', { name: cellsText.dialog.note }).fill('See the issue.');
    await dialog.getByRole('button', { name: cellsText.dialog.save }).click();
    await page.getByRole('gridcell', { name: /requests-1142.*seed 0.*unfair test/ }).waitFor();
    await page
      .getByRole('region', { name: cellsText.panel.title })
      .getByText('See the issue.')
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: runText.tabs.failures }).click();
    await page.getByRole('row', { name: 'unfair test 1' }).waitFor();
    expect(tab.findings.splice(0)).toEqual([]);
  });

  it('a run that goes on is followed, whichever process writes it', async () => {
    const { page } = tab;
    const at = '#/evaluations/run-3';
    await openView(page, `http://127.0.0.1:${served.port}`, { name: '', at });
    await page.getByText(runText.progress.words(32, 54)).waitFor();
    const store = openStore(path.join(home, 'vivarium.db'));
    const running = store.cells('run-3').find(({ state }) => state === 'running');
    const ended = store.cells('run-3').find(({ state }) => state === 'graded');
    const { sessionId = '', attemptId = '' } = running ?? {};
    if (ended?.grading === undefined || ended.grading === null) throw new Error('no verdict');
    const body = { type: 'grading.finished' as const, result: ended.grading, again: false };
    store.append({ sessionId, attemptId, body });
    store.close();
    await page.getByText(runText.progress.words(33, 54)).waitFor();
    await page.getByText(runText.progress.running(3)).waitFor();
    expect(tab.findings.splice(0)).toEqual([]);
  });

  it.each(['html', 'md', 'json', 'csv'] as const)('the report comes as %s', async (format) => {
    const { page } = tab;
    const at = '#/evaluations/run-2';
    await openView(page, `http://127.0.0.1:${served.port}`, { name: '', at });
    await page.getByRole('button', { name: runText.actions.report }).click();
    const waiting = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: runText.actions.formats[format] }).click();
    const download = await waiting;
    expect(download.suggestedFilename()).toMatch(new RegExp(`\\.${format}$`));
    const text = await readFile(await download.path(), 'utf8');
    expect(text).toContain('FrogNano-4B-Q8_0 x r2egym');
    expect(tab.findings.splice(0)).toEqual([]);
  });
});
