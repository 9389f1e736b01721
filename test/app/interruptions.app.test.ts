import { writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright';
import { sessionText } from '../../src-renderer/text/en/session.ts';
import { tabsText } from '../../src-renderer/text/en/session-tabs.ts';
import { shellText } from '../../src-renderer/text/en/shell.ts';
import { statesText } from '../../src-renderer/text/en/states.ts';
import { DONE, script, WAIT, type Place } from '../cli/command.ts';
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
} from '../support/browser.ts';

describe.skipIf(!hasBrowser)('what may happen in mid-run', () => {
  let browser: Browser;
  let place: Place;
  let served: Served;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    place = await demoPlace();
    served = await serveApp(place);
  });
  afterEach(async () => {
    await endServe(served);
    await removeCleanPlace(place);
  });

  const at = (session: string): string => `http://127.0.0.1:${served.port}/#/session/${session}`;
  const { actions, timeline } = sessionText;

  it('a reload shows the same steps, goes on live, and stops the session from there', async () => {
    const client = await clientOf(served);
    const tab = await openTab(browser, served.link());
    const session = await startFix(client, place, await script(place, MEND, WAIT));
    await tab.page.goto(at(session));
    await tab.page.getByText(MEND.content).waitFor();
    await tab.page.reload();
    await connected(tab.page);
    await tab.page.getByText(MEND.content).waitFor();
    expect(tab.page.url()).toBe(at(session));
    await tab.page.getByRole('button', { name: actions.stop, exact: true }).click();
    await tab.page.getByRole('button', { name: sessionText.stopDialog.confirm }).click();
    await tab.page.getByRole('button', { name: actions.resume, exact: true }).waitFor();
    expect((await ended(client, session)).state).toBe('cancelled');
    client.close();
    expect(tab.findings).toEqual([]);
    await tab.close();
  });

  it('two tabs see the same as it comes, and what one does the other is told', async () => {
    const client = await clientOf(served);
    const one = await openTab(browser, served.link());
    const other = await openTab(browser, served.link(), { colorScheme: 'dark' });
    const session = await startFix(client, place, await script(place, MEND, WAIT));
    await one.page.goto(at(session));
    await connected(other.page);
    const row = other.page.getByRole('grid').getByRole('row').filter({ hasText: 'is_adult' });
    await row.getByText(statesText.session.running).waitFor();
    await row.click();
    await other.page.getByText(MEND.content).waitFor();
    await one.page.getByText(MEND.content).waitFor();
    await one.page.getByRole('button', { name: actions.stop, exact: true }).click();
    await one.page.getByRole('button', { name: sessionText.stopDialog.confirm }).click();
    await other.page.getByRole('button', { name: actions.resume, exact: true }).waitFor();
    await other.page.getByText(timeline.outcome).first().waitFor();
    client.close();
    expect([...one.findings, ...other.findings]).toEqual([]);
    await one.close();
    await other.close();
  });

  it('a killed core: the page says so and comes back with the next one, the session is resumed', async () => {
    const first = await clientOf(served);
    const tab = await openTab(browser, served.link());
    const model = await script(place, MEND, { ...DONE, delay_ms: 600_000 });
    const session = await startFix(first, place, model, { verify: VERIFY });
    await tab.page.goto(at(session));
    await tab.page.getByText(MEND.content).waitFor();
    // Its words are in sight before the step is on record.
    const steps = async () => (await first.call('sessions/get', { session })).row.steps;
    await expect.poll(steps, { timeout: 30_000 }).toBe(1);
    served.kill('SIGKILL');
    await served.ended;
    first.close();
    await tab.page.getByText(shellText.connection.lost).waitFor();
    served = await serveApp(place, served.port);
    // The next core knows the browser: the page comes back by itself, where it was.
    await connected(tab.page);
    expect(tab.page.url()).toContain(session);
    await tab.page.getByText(statesText.session.interrupted).first().waitFor();
    await tab.page.getByText(MEND.content).waitFor();
    await rewrite(model, MEND, DONE);
    await tab.page.getByRole('button', { name: actions.resume, exact: true }).click();
    await tab.page.getByRole('heading', { level: 1 }).waitFor();
    const client = await clientOf(served);
    // It is interrupted until the resume has begun.
    const state = async () => (await client.call('sessions/get', { session })).row.state;
    await expect.poll(state, { timeout: 60_000, interval: 200 }).toBe('verified');
    client.close();
    await tab.page.getByText(timeline.resumed(1)).waitFor();
    await tab.page.getByText(statesText.session.verified).first().waitFor();
    // Parts of the page that could not be read while nobody served them are read again.
    await tab.page.getByRole('tab', { name: tabsText.charts }).click();
    await tab.page.locator('main canvas').first().waitFor();
    expect(tab.findings.filter((text) => !isOfLostConnection(text))).toEqual([]);
    await tab.close();
  });
});

function isOfLostConnection(text: string): boolean {
  return [
    /^request failed: http:\/\/127\.0\.0\.1:\d+\/(?:session|assets\/[\w.-]+) net::ERR_CONNECTION_REFUSED$/,
    /^console: Failed to load resource: (?:net::ERR_CONNECTION_REFUSED|.* status of 401 )/,
    /^console: WebSocket connection to 'ws:\/\/127\.0\.0\.1:\d+\/rpc' failed/,
  ].some((known) => known.test(text));
}

/** Gives a script other replies; it goes on where the resumed attempt is. */
async function rewrite(model: string, ...replies: object[]): Promise<void> {
  const file = model.slice('script:'.length);
  await writeFile(file, replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''));
}
