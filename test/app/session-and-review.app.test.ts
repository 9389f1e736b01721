import { readFile } from 'node:fs/promises';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../src-renderer/api/types.ts';
import { componentsText } from '../../src-renderer/text/en/components.ts';
import { reviewText } from '../../src-renderer/text/en/review.ts';
import { sessionText } from '../../src-renderer/text/en/session.ts';
import { statesText } from '../../src-renderer/text/en/states.ts';
import { call, DONE, script, type Place } from '../cli/command.ts';
import {
  clientOf,
  demoPlace,
  ended,
  MEND,
  removeCleanPlace,
  startFix,
  VERIFY,
} from '../support/app-place.ts';
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

const bash = (command: string) => call('Bash', { command, timeout: 60 });
const read = (file: string) => call('Read', { file_path: file });

/** The same file twice in a step, an error, and a patch of three files, one of them only white space. */
const USAGE = { prompt_tokens: 900, completion_tokens: 90, cached_tokens: 600 };
const STEPS = [
  { usage: USAGE, content: 'I read it twice.', tool_calls: [read('shop.py'), read('shop.py')] },
  { usage: USAGE, content: 'The tests fail.', tool_calls: [bash('false')] },
  MEND,
  {
    content: 'And two more files.',
    tool_calls: [
      bash(`printf 'x = 1\\n' > extra.py; sed -i 's/^    assert/        assert/' test_shop.py`),
    ],
  },
];

describe.skipIf(!hasBrowser)('the screens of a session and of its review', () => {
  let browser: Browser;
  let place: Place;
  let served: Served;
  let client: Client;
  let session: string;
  beforeAll(async () => {
    browser = await launchBrowser();
    place = await demoPlace();
    served = await serveApp(place);
    client = await clientOf(served);
    session = await startFix(client, place, await script(place, ...STEPS, DONE), {
      verify: VERIFY,
    });
    await ended(client, session);
  });
  afterAll(async () => {
    client.close();
    await browser.close();
    await endServe(served);
    await removeCleanPlace(place);
  });

  async function open(rest: string, options = {}): Promise<Tab> {
    const tab = await openTab(browser, served.link(), { reducedMotion: 'reduce', ...options });
    await tab.page.goto(`http://127.0.0.1:${served.port}/#/session/${rest}`);
    await connected(tab.page);
    return tab;
  }

  async function closed(tab: Tab): Promise<void> {
    expect(tab.findings).toEqual([]);
    await tab.close();
  }

  it('give keys that both know to the half that was used last', async () => {
    const tab = await open(session);
    const { page } = tab;
    await decisions(page).waitFor();
    // The issue and the start come before the first step.
    for (let times = 0; times < 3; times += 1) await page.keyboard.press('j');
    await expect.poll(() => page.url()).toContain('step=');
    const before = page.url();
    await page.keyboard.press('2');
    await page.keyboard.press('j');
    await page.locator('[data-stop][aria-current="true"]:focus').waitFor();
    expect(new URL(page.url()).hash.replace('/review', '')).toBe(new URL(before).hash);
    await page.keyboard.press('1');
    await page.keyboard.press('j');
    await expect.poll(() => page.url()).not.toContain(new URL(before).hash.split('?')[1]);
    await closed(tab);
  });

  it('let a decision, a note in mid-sentence and what follows of both survive a reload', async () => {
    const tab = await open(`${session}/review`);
    const { page } = tab;
    await decisions(page).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('r');
    await decisions(page).getByText(reviewText.totals.rejected(1)).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('m');
    const note = page.getByRole('textbox', { name: reviewText.notes.field });
    await note.fill('Why is this inclusive?');
    // What is typed is kept a moment after the last key, or when the page goes.
    await page.reload();
    await decisions(page).getByText(reviewText.totals.rejected(1)).waitFor();
    await expect.poll(() => note.inputValue()).toBe('Why is this inclusive?');
    await page.getByRole('button', { name: reviewText.notes.save }).click();
    await page.getByRole('button', { name: reviewText.notes.title(1) }).waitFor();
    expect(await note.count()).toBe(0);
    await closed(tab);
  });

  it('bring what a link or key leads to into view where the page is narrow', async () => {
    // 1280 x 800 at twice the size.
    const height = 400;
    const tab = await open(session, { viewport: { width: 640, height } });
    const { page } = tab;
    const accept = page.getByRole('button', { name: reviewText.decide.acceptAll }).first();
    const verdict = page.getByRole('tab', { name: sessionText.tabs.verification, selected: true });
    const toReview = page.getByRole('link', { name: sessionText.timeline.toReview }).first();
    const toEnd = async (): Promise<void> => {
      await page.getByRole('heading', { level: 1 }).hover();
      await page.mouse.wheel(0, -100_000);
      await page.mouse.move(320, 250);
      await expect
        .poll(async () => {
          await page.mouse.wheel(0, 200);
          return toReview.isVisible();
        })
        .toBe(true);
    };
    await accept.waitFor();
    await toEnd();
    expect(await inView(accept, height)).toBe(false);
    await toReview.click();
    await expect.poll(() => inView(accept, height)).toBe(true);
    // The address is that of the review already.
    await toEnd();
    await toReview.click();
    await expect.poll(() => inView(accept, height)).toBe(true);
    await page.reload();
    await expect.poll(() => inView(accept, height)).toBe(true);
    await page.keyboard.press('3');
    await expect.poll(() => inView(verdict, height)).toBe(true);
    await closed(tab);
  });

  it('have all buttons of a review within pages that are as narrow as four times the size makes them', async () => {
    const tab = await open(`${session}/review`, { viewport: { width: 320, height: 640 } });
    const { page } = tab;
    for (const width of [320, 500]) {
      await page.setViewportSize({ width, height: 640 });
      await page.getByRole('toolbar').first().waitFor();
      await expect.poll(() => page.evaluate<string[]>(CUT_OFF)).toEqual([]);
    }
    await closed(tab);
  });

  it('export what was let through, say so beside it, and show the line that applies it', async () => {
    const tab = await open(`${session}/review`);
    const { page } = tab;
    await decisions(page).waitFor();
    await page.getByText('Exported: 2 of 3 changes.').waitFor();
    await page.keyboard.press('Control+e');
    const dialog = page.getByRole('dialog');
    const download = async (format: string) => {
      await dialog.getByText(format, { exact: true }).click();
      const waiting = page.waitForEvent('download');
      await dialog.getByRole('button', { name: reviewText.export.download }).click();
      const saved = await waiting;
      return { name: saved.suggestedFilename(), text: await readFile(await saved.path(), 'utf8') };
    };
    const patch = await download(reviewText.export.formats.patch);
    const command = dialog.getByLabel(reviewText.export.commandLabel);
    expect(await command.textContent()).toBe(`git apply ${patch.name}`);
    const files = [...patch.text.matchAll(/^diff --git a\/(\S+)/gm)];
    expect(files.map(([, name]) => name)).toEqual(['shop.py', 'test_shop.py']);
    const provenance = await download(reviewText.export.formats.provenance);
    expect(provenance.name).toBe(patch.name.replace(/\.patch$/, '.json'));
    expect(JSON.parse(provenance.text)).toMatchObject({ review: { partial: true } });
    await closed(tab);
  });

  it('show the step that is pointed at in every chart, and go to it', async () => {
    const tab = await open(`${session}/charts`);
    const { page } = tab;
    const chart = page.locator('figure .u-over').last();
    await chart.hover();
    await expect.poll(() => page.getByText(/^step \d+$/).count()).toBeGreaterThan(2);
    await chart.click();
    await expect.poll(() => page.url()).toContain('step=');
    await closed(tab);
  });

  it('follow what grows, stop when a person scrolls up, and set attempts side by side', async () => {
    const steps = Array.from({ length: 14 }, (_, index) => ({
      ...{
        content: `Step ${index} `.repeat(40),
        tool_calls: [bash(`seq ${index} ${index + 5}`)],
        delay_ms: 150,
      },
    }));
    const model = await script(place, { seed: 1 }, ...steps, DONE, { seed: 2 }, MEND, DONE);
    const two = await startFix(client, place, model, { seed: 1, attempts: 2, parallel: 2 });
    const tab = await open(`${two}?attempt=1`);
    const { page } = tab;
    const follow = page.getByRole('button', { name: sessionText.actions.follow });
    const toEnd = () => page.evaluate<number>(FROM_END);
    await page.getByText('Step 3 Step 3').waitFor();
    await expect.poll(toEnd, { interval: 20 }).toBe(0);
    await page.getByRole('feed').hover();
    await page.mouse.wheel(0, -200);
    await page.locator('button[aria-pressed="false"]', { hasText: 'Follow' }).waitFor();
    await follow.click();
    await expect.poll(toEnd, { interval: 20 }).toBe(0);
    await ended(client, two);
    await page.keyboard.press('6');
    const table = page.getByRole('table', { name: sessionText.attemptsTable.caption });
    await table.getByText(statesText.session.no_patch).waitFor();
    await table.getByText(statesText.session.patched).waitFor();
    await table.getByRole('link', { name: '1 file' }).waitFor();
    await closed(tab);
  });

  it.each([
    ['dark', { colorScheme: 'dark' }],
    ['forced colours', { forcedColors: 'active' }],
  ])('give axe nothing to find while they are worked with, %s', async (_look, options) => {
    const tab = await open(`${session}?step=1`, options);
    const { page } = tab;
    await decisions(page).waitFor();
    const found = await violations(page, 'session');
    await page.keyboard.press('2');
    await page.keyboard.press('j');
    await page.keyboard.press('m');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: reviewText.view.full }).click();
    await page.getByRole('grid', { name: reviewText.fileList.label }).waitFor();
    found.push(...(await violations(page, 'wide review')));
    await page.goto(`http://127.0.0.1:${served.port}/#/session/${session}/charts`);
    await page.getByRole('button', { name: componentsText.chartTable }).first().click();
    found.push(...(await violations(page, 'charts')));
    expect(found).toEqual([]);
    await closed(tab);
  });
});

const decisions = (page: Page) => page.getByRole('status', { name: reviewText.totals.label });

const FROM_END = `(() => {
  const { scrollHeight, clientHeight, scrollTop } = document.querySelector('[role=feed]');
  return Math.round(scrollHeight - clientHeight - scrollTop);
})()`;

async function violations(page: Page, where: string): Promise<string[]> {
  const found = await new AxeBuilder({ page }).analyze();
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${where}: ${id}: ${html.slice(0, 200)}`),
  );
}

/** Names of buttons that stick out of the page. */
const CUT_OFF = `[...document.querySelectorAll('[role=tabpanel] button')]
  .filter((button) => button.getBoundingClientRect().right > innerWidth)
  .map((button) => button.ariaLabel || button.innerText)`;

/** Whether all of it lies on a page of this height. */
async function inView(locator: Locator, height: number): Promise<boolean> {
  const box = await locator.boundingBox();
  return box !== null && box.y >= 0 && box.y + box.height <= height;
}
