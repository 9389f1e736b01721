/** Every screen of the app with a session in it, for pictures and for axe. */
import type { Page } from 'playwright';
import type { Client } from '../../src-renderer/api/types.ts';
import { newFixText } from '../../src-renderer/text/en/new-fix.ts';
import { reviewText } from '../../src-renderer/text/en/review.ts';
import { SESSION_TABS } from '../../src-renderer/navigation.ts';
import { DEMO_ISSUE, TADPOLE, VERIFY } from './app-place.ts';
import { field } from './first-fix.ts';

export interface View {
  name: string;
  /** Hash of the page. */
  at: string;
  /** What is done before it is looked at. */
  act?: (page: Page) => Promise<void>;
}

/** @param session one that has a patch @param model in the library */
export function viewsOf(session: string, model: string, repository: string): View[] {
  const tabs = SESSION_TABS.map((tab) => ({
    name: tab === 'timeline' ? 'session' : tab,
    at: `#/session/${session}${tab === 'timeline' ? '' : `/${tab}`}`,
  }));
  return [
    { name: 'sessions', at: '#/sessions' },
    {
      name: 'new-fix',
      at: `#/new?repository=${encodeURIComponent(repository)}`,
      act: async (page) => {
        await field(page, newFixText.issue).fill(DEMO_ISSUE.trim());
        await field(page, newFixText.model).fill(model);
        await page.keyboard.press('Tab');
        await field(page, newFixText.verify).fill(VERIFY);
        await page.keyboard.press('Tab');
        await page.getByText(newFixText.canStart).waitFor();
      },
    },
    ...tabs,
    {
      name: 'export',
      at: `#/session/${session}/review`,
      act: async (page) => {
        await page.getByRole('button', { name: reviewText.export.button }).first().click();
        await page.getByRole('dialog').waitFor();
      },
    },
    { name: 'models', at: '#/models' },
    { name: 'model', at: `#/models/${encodeURIComponent(model)}` },
    { name: 'environment', at: '#/environment' },
    { name: 'settings', at: '#/settings' },
    {
      name: 'palette',
      at: '#/sessions',
      act: async (page) => {
        await page.keyboard.press('Control+k');
        await page.getByRole('menuitem').first().waitFor();
      },
    },
    {
      name: 'keys',
      at: '#/sessions',
      act: async (page) => {
        await page.keyboard.press('?');
        await page.getByRole('dialog').waitFor();
      },
    },
  ];
}

/** What says that something is still being read. */
const LOADING = /(?:Reading|Opening) .*…|asking…/;

/** Opens a view afresh and waits until it has what it shows. */
export async function openView(page: Page, origin: string, view: View): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`${origin}/${view.at}`);
  await page.getByText('connected', { exact: true }).waitFor();
  await page.getByRole('main').getByRole('heading').first().waitFor();
  await page.getByText(LOADING).first().waitFor({ state: 'hidden' });
  await view.act?.(page);
  // Overlays and charts come in with a short move.
  await page.waitForTimeout(400);
}

/** Puts a model into the library, usually the demonstration's. @returns its name there */
export async function addModel(
  client: Client,
  file = TADPOLE.slice('gguf:'.length),
): Promise<string> {
  const adding = client.stream('models/add', { path: file, copy: false });
  for (;;) {
    const next = await adding.next();
    if (next.done === true) return next.value.name;
  }
}
