import path from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellsText } from '../../src-renderer/text/en/run-cells.ts';
import { evaluationsText } from '../../src-renderer/text/en/evaluations.ts';
import { statesText } from '../../src-renderer/text/en/states.ts';
import { tabsText } from '../../src-renderer/text/en/session-tabs.ts';
import type { Place } from '../cli/command.ts';
import { demoPlace, removeCleanPlace } from '../support/app-place.ts';
import {
  connected,
  endServe,
  hasBrowser,
  launchBrowser,
  openTab,
  serveApp,
  type Served,
} from '../support/browser.ts';

const DEMO = path.resolve(import.meta.dirname, '../../resources/tasks/demo');
const TASKS = ['merge-ranges', 'slug-words', 'ticket-age'];
/** Three tasks, two at a time, each with workspaces for the attempt and for its verdict. */
const WHOLE_RUN_MS = 150_000;

describe.skipIf(!hasBrowser)('an evaluation from the app', () => {
  let browser: Browser;
  let place: Place;
  let served: Served;
  beforeAll(async () => {
    browser = await launchBrowser();
    place = await demoPlace();
    served = await serveApp(place);
  });
  afterAll(async () => {
    await browser.close();
    await endServe(served);
    await removeCleanPlace(place);
  });

  it('is started, followed to its verdicts, and looked into down to the tests', async () => {
    const { page, findings } = await openTab(browser, served.link());
    await connected(page);
    await page.goto(`http://127.0.0.1:${served.port}/#/evaluations`);
    await page.getByText(evaluationsText.empty.title).waitFor();
    await page.getByRole('button', { name: evaluationsText.start.action }).click();
    const dialog = page.getByRole('dialog');
    const field = (role: 'textbox' | 'combobox', name: string) =>
      dialog.getByRole(role, { name, exact: true });
    await field('textbox', evaluationsText.start.tasks).fill(DEMO);
    const replies = path.join(DEMO, 'replies', 'careful.jsonl');
    await field('combobox', evaluationsText.start.model).fill(`script:${replies}`);
    // Past the scaffold, whose proposals cover the rest while it has the focus.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await field('textbox', evaluationsText.start.seeds).fill('1');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: evaluationsText.start.go }).click();
    await page.waitForURL(/#\/evaluations\/[^/]+\/matrix$/);

    for (const task of TASKS) {
      const solved = new RegExp(`^${task}, .*, seed 0: ${statesText.cell.resolved}`);
      await page.getByRole('gridcell', { name: solved }).waitFor({ timeout: WHOLE_RUN_MS });
    }
    await page.getByText(statesText.run.done, { exact: true }).waitFor();

    const grid = page.getByRole('grid', { name: cellsText.grid });
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    await page.getByText(cellsText.grading.title).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/#\/session\/[^/]+\?step=\d+$/);
    await page.getByText(/^Part of the run /).waitFor();
    await page.getByRole('tab', { name: tabsText.verification }).click();
    await page.getByText(/^\d+ of \d+ tests fixed$/).waitFor();

    await page.goto(`http://127.0.0.1:${served.port}/#/sessions`);
    // Attempts of a run are no sessions of their own.
    await page.getByText(/No sessions yet/).waitFor();
    expect(findings).toEqual([]);
  });
});
