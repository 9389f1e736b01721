/**
 * From the first start to an exported patch in a browser, as one program: a test runs it where nothing
 * but loopback exists. Prints what was found as JSON. `node test/app/lonely-flow.ts FOLDER`
 */
import path from 'node:path';
import process from 'node:process';
import { DEMO_ISSUE, TADPOLE, VERIFY } from '../support/app-place.ts';
import { connected, endServe, launchBrowser, openTab, serveApp } from '../support/browser.ts';
import { firstFixByMouse } from '../support/first-fix.ts';

const folder = process.argv[2] ?? '';
const repository = path.join(folder, 'ticket-shop');
const place = { folder, repository, home: path.join(folder, 'home') };
const served = await serveApp(place);
const browser = await launchBrowser();
const tab = await openTab(browser, served.link());
await connected(tab.page);
const clicks = await firstFixByMouse(tab.page, {
  ...{ repository, issue: DEMO_ISSUE.trim(), model: TADPOLE, scaffold: 'tadpole', attempts: 4 },
  ...{ verify: VERIFY, out: path.join(folder, 'out') },
});
// A look at every place that might ask somewhere for something.
for (const at of ['models', 'environment', 'settings', 'sessions']) {
  await tab.page.goto(`http://127.0.0.1:${served.port}/#/${at}`);
  await tab.page.waitForTimeout(1_000);
}
await browser.close();
await endServe(served);
process.stdout.write(`${JSON.stringify({ clicks, findings: tab.findings })}\n`);
