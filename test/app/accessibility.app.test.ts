import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DONE, script, type Place } from '../cli/command.ts';
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
  endServe,
  hasBrowser,
  launchBrowser,
  openTab,
  serveApp,
  type Served,
} from '../support/browser.ts';
import { moreViews } from '../support/more-views.ts';
import { addModel, openView, type View, viewsOf } from '../support/views.ts';

type Media = NonNullable<Parameters<Page['emulateMedia']>[0]>;

/** A look changes colours and nothing else: the first has all rules, the others those of contrast. */
const LOOKS: Array<[name: string, media: Media, rules: string[] | null]> = [
  ['light', { colorScheme: 'light', contrast: 'no-preference', forcedColors: 'none' }, null],
  ['dark', { colorScheme: 'dark' }, ['color-contrast']],
  ['high contrast, dark', { contrast: 'more' }, ['color-contrast']],
  ['high contrast', { colorScheme: 'light' }, ['color-contrast']],
  ['forced colours', { contrast: 'no-preference', forcedColors: 'active' }, ['color-contrast']],
];

describe.skipIf(!hasBrowser)('accessibility', () => {
  let browser: Browser;
  let place: Place;
  let served: Served;
  let views: View[];
  beforeAll(async () => {
    browser = await launchBrowser();
    place = await demoPlace();
    served = await serveApp(place);
    const client = await clientOf(served);
    const model = await addModel(client);
    const session = await startFix(client, place, await script(place, MEND, DONE), {
      verify: VERIFY,
    });
    await ended(client, session);
    // Longer than all of this takes.
    const waits = await script(place, MEND, { ...DONE, delay_ms: 900_000 });
    const running = await startFix(client, place, waits);
    client.close();
    views = [...viewsOf(session, model, place.repository), ...moreViews(session, running, model)];
  });
  afterAll(async () => {
    await browser.close();
    await endServe(served);
    await removeCleanPlace(place);
  });

  it.each<[string, RegExp]>([
    ['the screens', /^[\w-]+$/],
    ['parts of lists, a new fix and sessions', /^(?:sessions|new fix|session): /],
    ['parts of models', /^models?: /],
    ['parts of environment and settings', /^(?:environment|settings): /],
  ])('axe finds nothing in %s, in any look', async (_what, names) => {
    const tab = await openTab(browser, served.link(), { reducedMotion: 'reduce' });
    const found: string[] = [];
    const wanted = views.filter(({ name }) => names.test(name));
    for (const view of wanted) found.push(...(await look(tab.page, served, view)));
    expect([...found, ...tab.findings]).toEqual([]);
    expect(wanted.length).toBeGreaterThan(8);
    await tab.close();
  });
});

/** What axe finds in a view, in each look; or that it cannot be opened. */
async function look(page: Page, { port }: Served, view: View): Promise<string[]> {
  try {
    await openView(page, `http://127.0.0.1:${port}`, view);
  } catch (error) {
    return [`${view.name}: cannot be opened: ${String(error).slice(0, 300)}`];
  }
  const found: string[] = [];
  for (const [name, media, rules] of LOOKS) {
    await page.emulateMedia(media);
    // Its own reading of style sheets is for a rule about turned screens.
    const axe = new AxeBuilder({ page }).options({ preload: false });
    const { violations } = await (rules === null ? axe : axe.withRules(rules)).analyze();
    for (const { id, nodes } of violations)
      for (const { html, any } of nodes)
        found.push(`${view.name}, ${name}: ${id}: ${html.slice(0, 200)} ${any[0]?.message ?? ''}`);
  }
  return found;
}
