import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DONE, git, script, type Place } from '../cli/command.ts';
import {
  DEMO_ISSUE,
  demoPlace,
  MEND,
  removeCleanPlace,
  TADPOLE,
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
import { firstFixByKeys, firstFixByMouse, type Task } from '../support/first-fix.ts';

describe.skipIf(!hasBrowser)('from the first start to an exported patch', () => {
  let browser: Browser;
  let place: Place;
  let served: Served;
  let tab: Tab;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    place = await demoPlace();
    served = await serveApp(place);
    tab = await openTab(browser, served.link());
    await connected(tab.page);
  });
  afterEach(async () => {
    await tab.close();
    await endServe(served);
    await removeCleanPlace(place);
  });

  const taskOf = (model: string, rest: Partial<Task> = {}): Task => ({
    ...{ repository: place.repository, issue: DEMO_ISSUE.trim(), model, verify: VERIFY },
    ...{ out: path.join(place.folder, 'out'), ...rest },
  });

  /** The exported file applies in the repository, which nothing had touched before. */
  async function expectApplies(out: string): Promise<void> {
    expect(await git(place.repository, 'status', '--porcelain')).toBe('');
    const name = readdirSync(out).find((file) => file.endsWith('.patch')) ?? '';
    await git(place.repository, 'apply', path.join(out, name));
    expect(await git(place.repository, 'diff', '--stat')).toContain('1 file changed');
    const shop = readFileSync(path.join(place.repository, 'shop.py'), 'utf8');
    expect(shop).toContain('return age >= 18');
  }

  it('by mouse, with the demonstration model: five clicks besides those into fields', async () => {
    const task = taskOf(TADPOLE, { scaffold: 'tadpole', attempts: 4 });
    const clicks = await firstFixByMouse(tab.page, task);
    // Start the first fix; Start the fix; Review the patch; Export; Download. One more unfolds the scaffold.
    expect(clicks).toEqual({ buttons: 6, fields: 6 });
    await expectApplies(task.out);
    expect(tab.findings).toEqual([]);
  });

  it('by keys alone, with a scripted model', async () => {
    const task = taskOf(await script(place, MEND, DONE));
    await firstFixByKeys(tab.page, task);
    await expectApplies(task.out);
    expect(tab.findings).toEqual([]);
  });
});
