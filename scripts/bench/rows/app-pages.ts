import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright';
import { DONE, removePlace, script, type Place } from '../../../test/cli/command.ts';
import { clientOf, demoPlace, ended, MEND, startFix } from '../../../test/support/app-place.ts';
import {
  connected,
  endServe,
  hasBrowser,
  launchBrowser,
  openTab,
  serveApp,
} from '../../../test/support/browser.ts';
import {
  firstBundleBytes,
  memoryOf,
  rendererBytes,
  scrollFrames,
  timeToShow,
} from '../page-figures.ts';
import { series, single, type Row, type Skipped } from '../row.ts';
import { fillRecord } from './session-list.ts';

const STEPS = 150;
const MB = 1_000_000;
const NO_LONG_FRAME = { p95: 50, text: 'no frame over 50 ms' };

const bash = (command: string) => ({ name: 'Bash', arguments: { command, timeout: 60 } });

/** The list with 1,000 sessions from the start of the server, and with 10,000 as one scrolls. */
async function measureList(browser: Browser): Promise<Row[]> {
  const rows: Row[] = [];
  for (const sessions of [1_000, 10_000]) {
    const place = await demoPlace();
    mkdirSync(place.home, { recursive: true });
    fillRecord(path.join(place.home, 'vivarium.db'), sessions);
    const began = performance.now();
    const served = await serveApp(place);
    const tab = await openTab(browser, served.link());
    await tab.page.getByRole('grid').getByRole('row').nth(3).waitFor();
    const took = performance.now() - began;
    if (sessions === 1_000) {
      const reach = { p50: 1_500, text: '< 1.5 s' };
      rows.push(single('serve to a painted list of 1,000 sessions', 'ms', took, reach));
    } else {
      const frames = await scrollFrames(tab.page, '[role=grid]', { frames: 300, pixels: 400 });
      rows.push(series('frames of 10,000 sessions as they scroll', 'ms', frames, NO_LONG_FRAME));
      rows.push(single('the longest of them', 'ms', Math.max(...frames), NO_LONG_FRAME));
    }
    await tab.close();
    await endServe(served);
    await removePlace(place);
  }
  return rows;
}

/** Steps whose outputs show only once their events are stored. */
function manySteps(): object[] {
  const steps = Array.from({ length: STEPS }, (_, n) => ({
    content: `Step ${n}`,
    // The end of an output is what shows at once.
    tool_calls: [bash(`head -c 36000 /dev/zero | tr '\\0' x | fold; echo told-$((${n}))-there`)],
  }));
  const change = 'for n in $(seq 20000); do echo "value_$n = $n"; done > values.py';
  return [...steps, { content: 'Many lines.', tool_calls: [bash(change)] }, { content: 'Done.' }];
}

async function measureSession(browser: Browser): Promise<Row[]> {
  const place = await demoPlace();
  const served = await serveApp(place);
  try {
    return await measureInside(browser, place, served);
  } finally {
    await endServe(served);
    await removePlace(place);
  }
}

async function measureInside(
  browser: Browser,
  place: Place,
  served: Awaited<ReturnType<typeof serveApp>>,
): Promise<Row[]> {
  const client = await clientOf(served);
  const tab = await openTab(browser, served.link());
  const { page } = tab;
  await connected(page);
  await page.evaluate(WATCH);
  const model = await script(place, ...manySteps());
  const session = await startFix(client, place, model, { maxSteps: STEPS + 10 });
  await page.evaluate(`void (location.hash = '#/session/${session}')`);
  await ended(client, session);
  const seen = new Map(await page.evaluate<Array<[number, number]>>('[...window.seen]'));
  const late: number[] = [];
  const { events } = await client.call('sessions/events', { session, limit: 5_000 });
  for (const { body, at } of events) {
    const shown = body.type === 'step.finished' ? seen.get(body.step - 1) : undefined;
    if (shown !== undefined) late.push(shown - at);
  }
  client.close();
  await page.goto(`http://127.0.0.1:${served.port}/#/sessions`);
  await page.reload();
  await page.getByRole('grid').getByRole('row').first().waitFor();
  const opened = await timeToShow(
    page,
    `#/session/${session}`,
    'main [role=group][aria-label^="Bash"]',
  );
  const reviewed = await timeToShow(page, `#/session/${session}/review`, 'main table');
  const frames = await scrollFrames(page, 'main table', { frames: 300, pixels: 600 });
  await tab.close();
  return [
    series('an event in the store to its pixel', 'ms', late, { p95: 100, text: 'p95 < 100 ms' }),
    single(`a session of ${STEPS} steps and 5 MB, to its first steps`, 'ms', opened, {
      ...{ p50: 300, text: '< 300 ms' },
    }),
    single('a patch of 20,000 lines, to its first lines', 'ms', reviewed),
    series('frames of that patch as it scrolls', 'ms', frames, NO_LONG_FRAME),
    single('the longest of them', 'ms', Math.max(...frames), NO_LONG_FRAME),
  ];
}

/** After a session as most are, with its page open and nothing to do. */
async function measureMemory(browser: Browser): Promise<Row[]> {
  const place = await demoPlace();
  const served = await serveApp(place);
  const client = await clientOf(served);
  const tab = await openTab(browser, served.link());
  const session = await startFix(client, place, await script(place, MEND, DONE));
  await tab.page.goto(`http://127.0.0.1:${served.port}/#/session/${session}/review`);
  await ended(client, session);
  client.close();
  await tab.page.locator('main table').first().waitFor();
  const look = (what: string, reach?: { p50: number; text: string }): Row => {
    const [core, renderer] = [memoryOf(String(served.pid)) / MB, rendererBytes() / MB];
    const note = `core ${Math.round(core)}, renderer ${Math.round(renderer)}`;
    return single(what, 'MB', core + renderer, reach, note);
  };
  await tab.page.waitForTimeout(5_000);
  const soon = look('memory 5 s after one session');
  // Both engines give back what is garbage once nothing was asked of them for some seconds.
  await tab.page.waitForTimeout(25_000);
  const idle = look('memory idle after one session', { p50: 350, text: '< 350 MB' });
  await tab.close();
  await endServe(served);
  await removePlace(place);
  return [soon, idle];
}

/** Notes in the page when the output of each step is first in a frame. */
const WATCH = `
  window.seen = new Map();
  new MutationObserver((records) => {
    for (const { addedNodes, target } of records)
      for (const node of [...addedNodes, target])
        for (const [, step] of (node.textContent ?? '').matchAll(/told-(\\d+)-there/g))
          if (!window.seen.has(Number(step))) {
            window.seen.set(Number(step), Infinity);
            requestAnimationFrame(() => window.seen.set(Number(step), Date.now()));
          }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
`;

/** The app in Debian's Chromium, over the browser door. The pages are those that were built last. */
export async function measure(): Promise<Array<Row | Skipped>> {
  const bundle = single(
    'renderer bundle before lazy parts, compressed',
    'MB',
    firstBundleBytes() / MB,
    {
      ...{ p50: 0.4, text: '< 0.4 MB' },
    },
  );
  if (!hasBrowser) return [bundle, { what: 'the app in a browser', skipped: 'no Chromium here' }];
  const browser = await launchBrowser();
  try {
    return [
      bundle,
      ...(await measureMemory(browser)),
      ...(await measureList(browser)),
      ...(await measureSession(browser)),
    ];
  } finally {
    await browser.close();
  }
}
