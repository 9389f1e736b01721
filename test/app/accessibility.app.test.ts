import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DONE, removePlace, script, type Place } from '../cli/command.ts';
import { clientOf, demoPlace, ended, MEND, startFix, VERIFY } from '../support/app-place.ts';
import {
  endServe,
  hasBrowser,
  launchBrowser,
  openTab,
  serveApp,
  type Served,
} from '../support/browser.ts';
import { addModel, openView, viewsOf } from '../support/views.ts';

const LOOKS: Array<[string, BrowserContextOptions]> = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['high contrast', { colorScheme: 'light', contrast: 'more' }],
];

describe.skipIf(!hasBrowser)('accessibility', () => {
  let browser: Browser;
  let place: Place;
  let served: Served;
  let session: string;
  let model: string;
  beforeAll(async () => {
    browser = await launchBrowser();
    place = await demoPlace();
    served = await serveApp(place);
    const client = await clientOf(served);
    model = await addModel(client);
    session = await startFix(client, place, await script(place, MEND, DONE), { verify: VERIFY });
    await ended(client, session);
    client.close();
  });
  afterAll(async () => {
    await browser.close();
    await endServe(served);
    await removePlace(place);
  });

  it.each(LOOKS)('axe finds nothing on any screen, %s', async (_look, options) => {
    const tab = await openTab(browser, served.link(), { reducedMotion: 'reduce', ...options });
    const found: string[] = [];
    for (const view of viewsOf(session, model, place.repository)) {
      try {
        await openView(tab.page, `http://127.0.0.1:${served.port}`, view);
      } catch (error) {
        found.push(`${view.name}: cannot be opened: ${String(error).slice(0, 300)}`);
        continue;
      }
      const { violations } = await new AxeBuilder({ page: tab.page }).analyze();
      for (const { id, nodes } of violations)
        found.push(...nodes.map(({ html }) => `${view.name}: ${id}: ${html.slice(0, 200)}`));
    }
    expect([...found, ...tab.findings]).toEqual([]);
    await tab.close();
  });
});
