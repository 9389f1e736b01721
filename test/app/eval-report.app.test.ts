import { AxeBuilder } from '@axe-core/playwright';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatReport, type RunOnRecord } from '../../src-main/evaluation/index.ts';
import { generatedRun } from '../../src-main/evaluation/report/sample-run.ts';
import { hostileRun } from '../../src-main/evaluation/report/testing.ts';
import { hasBrowser, launchBrowser, openTab } from '../support/browser.ts';

let browser: Browser;
let folder: string;

beforeAll(async () => {
  if (!hasBrowser) return;
  browser = await launchBrowser();
  folder = mkdtempSync(path.join(tmpdir(), 'vivarium-report-page-'));
});

afterAll(async () => {
  if (!hasBrowser) return;
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The page of a run as it lies on disk. */
function pageOf(run: RunOnRecord, name: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, formatReport(run, { format: 'html' }));
  return pathToFileURL(file).href;
}

describe.skipIf(!hasBrowser)('a mailed report of a run', () => {
  test('P10 runs nothing and asks for nothing, whatever tasks and tests are called', async () => {
    const { page, findings, close } = await openTab(browser, pageOf(hostileRun(), 'hostile.html'));
    const foreign = await page.locator('main :is(script, img, link, iframe, object)').count();
    const handlers = await page.evaluate(
      `[...document.querySelectorAll('*')].flatMap(({ attributes }) =>
        [...attributes].map(({ name }) => name)).filter((name) => name.startsWith('on'))`,
    );
    expect([findings, foreign, handlers]).toEqual([[], 0, []]);
    await close();
  });

  test.each(['light', 'dark'] as const)('axe finds nothing in it, %s', async (colorScheme) => {
    const run = generatedRun({ tasks: 30, labels: ['m x leaf', 'm x r2egym'] });
    const link = pageOf(run, `${colorScheme}.html`);
    const { page, findings, close } = await openTab(browser, link, { colorScheme });
    const { violations } = await new AxeBuilder({ page }).options({ preload: false }).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
    expect([found, findings]).toEqual([[], []]);
    await close();
  });

  test('it is no wider than a phone or a sheet of paper', async () => {
    const link = pageOf(generatedRun({ tasks: 30, labels: ['m x leaf', 'm x r2egym'] }), 'a.html');
    for (const width of [390, 690]) {
      const { page, close } = await openTab(browser, link, { viewport: { width, height: 900 } });
      if (width === 690) await page.emulateMedia({ media: 'print' });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await close();
    }
  });
});
