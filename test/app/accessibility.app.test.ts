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
  type Tab,
} from '../support/browser.ts';
import { moreViews } from '../support/more-views.ts';
import { addModel, openView, type View, viewsOf } from '../support/views.ts';

type Media = NonNullable<Parameters<Page['emulateMedia']>[0]>;

/** A look changes colours and nothing else: the first has all rules, the others those of contrast. */
const LOOKS: Array<[name: string, media: Media, rules: string[] | null]> = [
  ['light', { colorScheme: 'light', contrast: 'no-preference', forcedColors: 'none' }, null],
  ['dark', { colorScheme: 'dark' }, ['color-contrast']],
  ['high contrast', { colorScheme: 'light', contrast: 'more' }, ['color-contrast']],
  ['forced colours', { contrast: 'no-preference', forcedColors: 'active' }, ['color-contrast']],
];

/** Every screen, part and dialog, by name; where they are is known once there are sessions. */
const NAMES = viewsWith('', '', '', '').map(({ name }) => name);

function viewsWith(session: string, running: string, model: string, repository: string): View[] {
  return [...viewsOf(session, model, repository), ...moreViews(session, running, model)];
}

describe.skipIf(!hasBrowser)('axe finds nothing, in any look, in', () => {
  let browser: Browser;
  let place: Place;
  let served: Served;
  let tab: Tab;
  let views: View[];
  beforeAll(async () => {
    browser = await launchBrowser();
    place = await demoPlace();
    served = await serveApp(place);
    const client = await clientOf(served);
    const model = await addModel(client);
    const mended = await script(place, MEND, DONE);
    const session = await startFix(client, place, mended, { verify: VERIFY });
    await ended(client, session);
    // Longer than all of this takes.
    const waits = await script(place, MEND, { ...DONE, delay_ms: 900_000 });
    const running = await startFix(client, place, waits);
    client.close();
    views = viewsWith(session, running, model, place.repository);
    tab = await openTab(browser, served.link(), { reducedMotion: 'reduce' });
  });
  afterAll(async () => {
    await browser.close();
    await endServe(served);
    await removeCleanPlace(place);
  });

  it.each(NAMES)('%s', async (name) => {
    const view = views.find((one) => one.name === name);
    if (view === undefined) throw new Error(`no view is called ${name}`);
    await tab.page.emulateMedia(LOOKS[0]?.[1] ?? {});
    await openView(tab.page, `http://127.0.0.1:${served.port}`, view);
    expect([...(await faultsIn(tab.page)), ...tab.findings.splice(0)]).toEqual([]);
  });
});

/** What axe finds on the page, in each look. */
async function faultsIn(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [name, media, rules] of LOOKS) {
    await page.emulateMedia(media);
    // Its own reading of style sheets is for a rule about turned screens.
    const axe = new AxeBuilder({ page }).options({ preload: false });
    const { violations } = await (rules === null ? axe : axe.withRules(rules)).analyze();
    for (const { id, nodes } of violations)
      for (const { html, any } of nodes)
        found.push(`${name}: ${id}: ${html.slice(0, 200)} ${any[0]?.message ?? ''}`);
  }
  return found;
}
