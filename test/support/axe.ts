/** What axe finds on a page, in each of its looks. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright';
import { expect } from 'vitest';

type Media = NonNullable<Parameters<Page['emulateMedia']>[0]>;

/** A look changes colours and nothing else: the first has all rules, the others those of contrast. */
const LOOKS: Array<[name: string, media: Media, rules: string[] | null]> = [
  ['light', { colorScheme: 'light', contrast: 'no-preference', forcedColors: 'none' }, null],
  ['high contrast', { contrast: 'more' }, ['color-contrast']],
  ['forced colours', { contrast: 'no-preference', forcedColors: 'active' }, ['color-contrast']],
  ['dark', { colorScheme: 'dark', forcedColors: 'none' }, ['color-contrast']],
];

/** The look to open a page in before {@link faultsIn}. */
export const FIRST_LOOK: Media = LOOKS[0]?.[1] ?? {};

/** What axe finds on the page, in each look. */
export async function faultsIn(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [name, media, rules] of LOOKS) {
    await page.emulateMedia(media);
    await settled(page, media.contrast);
    // Its own reading of style sheets is for a rule about turned screens.
    const axe = new AxeBuilder({ page }).options({ preload: false });
    const { violations } = await (rules === null ? axe : axe.withRules(rules)).analyze();
    for (const { id, nodes } of violations)
      for (const { html, any } of nodes)
        found.push(`${name}: ${id}: ${html.slice(0, 200)} ${any[0]?.message ?? ''}`);
  }
  return found;
}

/** Waits until the page has taken a look over: more contrast comes by a listener, a frame later. */
async function settled(page: Page, contrast: Media['contrast']): Promise<void> {
  const wanted = contrast === 'more';
  const isDone = () => page.evaluate("document.documentElement.hasAttribute('data-contrast')");
  await expect.poll(isDone, { timeout: 10_000, interval: 50 }).toBe(wanted);
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
}
