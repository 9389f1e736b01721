/** A folder of the desktop dropped on the page: the browser's own drag, with the browser's own files. */
import path from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest';
import { newFixText } from '../../src-renderer/text/en/new-fix.ts';
import { shellText } from '../../src-renderer/text/en/shell.ts';
import { removePlace, type Place } from '../cli/command.ts';
import { demoPlace } from '../support/app-place.ts';
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
import { field } from '../support/first-fix.ts';

/** What Electron's preload would put there, on the socket of the browser door. */
const SHELL = `(told) => {
  const listeners = new Set();
  const early = [];
  const socket = new WebSocket(location.origin.replace('http', 'ws') + '/rpc');
  socket.onopen = () => early.splice(0).forEach((frame) => socket.send(frame));
  socket.onmessage = ({ data }) => listeners.forEach((listener) => listener(data));
  globalThis.vivarium = {
    send: (frame) => (socket.readyState === 1 ? socket.send(frame) : early.push(frame)),
    subscribe: (listener) => (listeners.add(listener), () => listeners.delete(listener)),
    platform: { pathOfFile: (file) => told + '/' + file.name },
  };
}`;

async function drop(page: Page, file: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  // Over the sidebar: no screen takes it there.
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 100, y: 500, data });
  await session.detach();
}

describe.skipIf(!hasBrowser)('what is dropped anywhere on the page', () => {
  let browser: Browser;
  let place: Place;
  let served: Served;
  let tab: Tab;
  beforeAll(async () => {
    browser = await launchBrowser();
    place = await demoPlace();
    served = await serveApp(place);
  });
  afterAll(async () => {
    await browser.close();
    await endServe(served);
    await removePlace(place);
  });
  beforeEach(async () => {
    tab = await openTab(browser, served.link());
    await connected(tab.page);
  });
  afterEach(() => tab.close());

  it('a folder in a browser, which tells no path: said in words, and the field is offered', async () => {
    const { page } = tab;
    const at = page.url();
    await drop(page, place.repository);
    await page.getByText(shellText.drop.noPath).waitFor();
    expect(page.url()).toBe(at);
    await page.getByRole('button', { name: shellText.drop.typePath }).click();
    await field(page, newFixText.repository).waitFor();
    expect(page.url()).toMatch(/#\/new$/);
    expect(tab.findings).toEqual([]);
  });

  it('a file is no repository', async () => {
    const { page } = tab;
    const at = page.url();
    await drop(page, path.join(place.repository, '.git', 'HEAD'));
    await page.getByText(shellText.drop.file).waitFor();
    expect(page.url()).toBe(at);
    expect(tab.findings).toEqual([]);
  });

  it('a folder where the shell tells its path: a new fix opens with it, and with the next one', async () => {
    const { page } = tab;
    await page.addInitScript(`(${SHELL})(${JSON.stringify(path.dirname(place.repository))})`);
    await page.reload();
    await connected(page);
    await drop(page, place.repository);
    const repository = field(page, newFixText.repository);
    await repository.waitFor();
    await expect.poll(() => repository.inputValue()).toBe(place.repository);
    await drop(page, place.home);
    await expect
      .poll(() => repository.inputValue())
      .toBe(path.join(path.dirname(place.repository), path.basename(place.home)));
    expect(tab.findings).toEqual([]);
  });
});
