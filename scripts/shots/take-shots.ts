import { copyFile, mkdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright';
import { script, WAIT, type Place } from '../../test/cli/command.ts';
import {
  clientOf,
  DEMO_ISSUE,
  demoPlace,
  ended,
  MEND,
  startFix,
  TADPOLE,
  VERIFY,
} from '../../test/support/app-place.ts';
import {
  endServe,
  launchBrowser,
  openTab,
  serveApp,
  type Served,
} from '../../test/support/browser.ts';
import { EVAL_VIEWS, recordRuns } from '../../test/support/eval-views.ts';
import { addModel, openView, type View, viewsOf } from '../../test/support/views.ts';

const THEMES = ['light', 'dark'] as const;
const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

/** Those that a reader learns from; the others are looked at by the tests. */
const SHOWN = new Set([
  ...['sessions', 'new-fix', 'session', 'review', 'verification', 'charts', 'provenance'],
  ...['model', 'environment', 'settings'],
]);

/** Fixes the demonstration with its model, then takes the pictures. @returns their paths */
export async function takeShots(out: string): Promise<string[]> {
  const folder = path.join(os.tmpdir(), 'vivarium-shots');
  await rm(folder, { recursive: true, force: true });
  const place = await demoPlace(folder);
  // Real runs of such a size take days: these are made up.
  recordRuns(place.home);
  // What this machine has elsewhere is nobody's business.
  const served = await serveApp(place, 0, { PATH: '/usr/local/bin:/usr/bin:/bin' });
  const browser = await launchBrowser();
  try {
    const views = await makeSessions(place, served);
    await mkdir(out, { recursive: true });
    return await takeAll(browser, served, [...views, ...EVAL_VIEWS], out);
  } finally {
    await browser.close();
    await endServe(served);
    await rm(folder, { recursive: true, force: true });
  }
}

/** A fixed one, one more of another seed, and one that runs, so that the list has something to tell. */
async function makeSessions(place: Place, served: Served): Promise<View[]> {
  const client = await clientOf(served);
  const file = path.join(place.folder, 'tadpole.gguf');
  await copyFile(TADPOLE.slice('gguf:'.length), file);
  const model = await addModel(client, file);
  const more = { scaffold: 'tadpole', verify: VERIFY, attempts: 4 };
  await ended(client, await startFix(client, place, model, { ...more, seed: 7 }));
  const session = await startFix(client, place, model, more);
  await ended(client, session);
  const issue = `The total of an empty basket\n\n${DEMO_ISSUE}`;
  await startFix(client, place, await script(place, MEND, WAIT), { issue });
  client.close();
  return viewsOf(session, model, place.repository).filter(({ name }) => SHOWN.has(name));
}

async function takeAll(
  browser: Browser,
  served: Served,
  views: View[],
  out: string,
): Promise<string[]> {
  const files: string[] = [];
  for (const colorScheme of THEMES) {
    for (const viewport of SIZES) {
      const tab = await openTab(browser, served.link(), {
        ...{ colorScheme, viewport, reducedMotion: 'reduce' },
      });
      for (const view of views) {
        await openView(tab.page, `http://127.0.0.1:${served.port}`, view);
        const file = path.join(out, `${view.name}-${colorScheme}-${viewport.width}.png`);
        await tab.page.screenshot({ path: file });
        files.push(file);
      }
      if (tab.findings.length > 0) throw new Error(tab.findings.join('\n'));
      await tab.close();
    }
  }
  return files;
}
