import { appendFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MODEL_TABS, SESSION_TABS } from '../../src-renderer/navigation.ts';
import { reviewText } from '../../src-renderer/text/en/review.ts';
import { call, git, script, type Place } from '../cli/command.ts';
import {
  clientOf,
  demoPlace,
  ended,
  removeCleanPlace,
  startFix,
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
} from '../support/browser.ts';
import { addModel } from '../support/views.ts';

/** Each sets `__pwned` if any way leads from text to running. */
const IMAGE = '<img src=x onerror="window.__pwned=1">';
const SCRIPT = '<script>window.__pwned=2</script>';
const LINK = '[here](javascript:window.__pwned=3) <a href="javascript:window.__pwned=4">there</a>';
const FRAME =
  '<iframe srcdoc="<script>parent.__pwned=5</script>"></iframe><svg onload="__pwned=6">';
const BIDI = 'admin\u202e\u2066 // check\u2069\u2066 and zero\u200bwidth';
const SHOWN_BIDI = String.raw`admin\u{202e}`;
const FILE = '<img src=x onerror=__pwned=7>\u202ecod.py';
const BELL = String.raw`\033]8;;javascript:window.__pwned=8\007click\033]8;;\007`;

/** As much on one line as a client may send, nearly. */
const LONG_LINE = 'C'.repeat(3_000_000);
const ISSUE = `${IMAGE} ${BIDI} ${SCRIPT}\n\n${LINK}\n\n${FRAME}`;

const bash = (command: string) => call('Bash', { command, timeout: 60 });
const write = (file: string, content: string) => call('Write', { file_path: file, content });

const REPLIES = [
  {
    content: `${IMAGE}${SCRIPT} ${LINK} ${BIDI}`,
    tool_calls: [bash(`printf '${BELL}\\033[2J\\033[31mred\\n'; echo '${SCRIPT}${FRAME}'`)],
  },
  { content: FRAME, tool_calls: [bash(`python3 -c "print('A' * 5_000_000 + '<b>end</b>')"`)] },
  {
    content: BIDI,
    tool_calls: [
      write(FILE, `x = '${BIDI}' ${SCRIPT}\n`),
      write('page.html', `${SCRIPT}${FRAME}\n`),
    ],
  },
  {
    content: 'x',
    tool_calls: [
      call(`<b>${BIDI}</b>`, { a: SCRIPT }),
      bash(`python3 -c "open('long.txt', 'w').write('B' * 5_000_000 + '\\n')"`),
    ],
  },
  { content: `${IMAGE} done` },
];

describe.skipIf(!hasBrowser)('hostile content', () => {
  let browser: Browser;
  let place: Place;
  let served: Served;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    place = await demoPlace();
    await writeFile(path.join(place.repository, `${FILE}.txt`), SCRIPT);
    await git(place.repository, 'add', '.');
    await git(place.repository, 'commit', '-q', '-m', `${SCRIPT} ${BIDI}`);
    served = await serveApp(place);
  });
  afterEach(async () => {
    await endServe(served);
    await removeCleanPlace(place);
  });

  it('in issue, file names, outputs, calls and patch runs nowhere, and what hides is shown', async () => {
    const client = await clientOf(served);
    const session = await startFix(client, place, await script(place, ...REPLIES), {
      ...{ issue: `${ISSUE}\n\n${LONG_LINE}`, verify: `${VERIFY}; echo '${SCRIPT}'` },
    });
    const tab = await openTab(browser, served.link());
    const base = `http://127.0.0.1:${served.port}/`;
    await tab.page.goto(`${base}#/session/${session}`);
    await ended(client, session);
    for (const name of SESSION_TABS) {
      await tab.page.goto(`${base}#/session/${session}/${name === 'timeline' ? '' : name}`);
      await connected(tab.page);
      await tab.page.getByRole('heading', { level: 1 }).first().waitFor();
      await settled(tab.page);
      await expectHarmless(tab.page, name);
      expect(await tab.page.getByRole('main').innerText()).toContain(SHOWN_BIDI);
    }
    for (const at of ['sessions', 'new', 'environment', 'settings', 'models']) {
      await tab.page.goto(`${base}#/${at}`);
      await connected(tab.page);
      await settled(tab.page);
      await expectHarmless(tab.page, at);
    }
    expect(tab.findings).toEqual([]);
    await tab.close();
    client.close();
  });

  it('in titles, notes outside the page, the palette and the follow-up is text like any other', async () => {
    const client = await clientOf(served);
    await client.call('settings/set', { notifications: true });
    const tab = await openTab(browser, served.link());
    await tab.page.addInitScript(UNSEEN);
    await tab.page.reload();
    await connected(tab.page);
    const model = await script(place, ...REPLIES.slice(2, 3), { content: `${IMAGE} done` });
    const session = await startFix(client, place, model, { issue: ISSUE });
    await ended(client, session);
    await expect.poll(() => tab.page.evaluate('globalThis.notes.length')).toBe(1);
    const [note] = await tab.page.evaluate<string[]>('globalThis.notes');
    expect(note).toContain(SHOWN_BIDI);
    expect(note).not.toMatch(HIDES);
    await expectHarmless(tab.page, 'notice');
    await tab.page.keyboard.press('Control+k');
    await tab.page.getByRole('dialog').getByText(SHOWN_BIDI).first().waitFor();
    await expectHarmless(tab.page, 'palette');
    await tab.page.goto(`http://127.0.0.1:${served.port}/#/session/${session}/review`);
    await tab.page.keyboard.press('Escape');
    await expect.poll(() => tab.page.title()).toContain(SHOWN_BIDI);
    expect(await tab.page.title()).not.toMatch(HIDES);
    await tab.page.getByRole('button', { name: reviewText.followUp.button }).first().click();
    await tab.page.getByRole('dialog').waitFor();
    await expectHarmless(tab.page, 'follow-up');
    expect(tab.findings).toEqual([]);
    await tab.close();
    client.close();
  });

  it('in files, names and logs of models is shown, and runs nowhere', async () => {
    const client = await clientOf(served);
    const name = await addModel(client, await hostileModel(place));
    let logFile: string | null = null;
    for await (const status of client.stream('models/start', { name })) logFile = status.logFile;
    await appendFile(
      logFile ?? '',
      `${IMAGE}${SCRIPT} ${BIDI}\n\u001b]8;;javascript:__pwned=9\u0007\n`,
    );
    const last = `ERROR ${IMAGE}${SCRIPT} ${BIDI} \u001b]8;;javascript:__pwned=9\u0007`;
    await appendFile(logFile ?? '', `ERROR ${'D'.repeat(5_000_000)}\n${last}\n`);
    const tab = await openTab(browser, served.link());
    for (const part of MODEL_TABS) {
      await tab.page.goto(`http://127.0.0.1:${served.port}/#/models/${name}/${part}`);
      await connected(tab.page);
      if (part === 'log' || part === 'facts') {
        await tab.page.getByRole('main').getByText(SHOWN_BIDI).first().waitFor();
      }
      await settled(tab.page);
      await expectHarmless(tab.page, part);
    }
    await client.call('models/stop', { name });
    expect(tab.findings).toEqual([]);
    await tab.close();
    client.close();
  });

  it('stays harmless in the reports that are exported', async () => {
    const client = await clientOf(served);
    const session = await startFix(client, place, await script(place, ...REPLIES), {
      issue: ISSUE,
    });
    await ended(client, session);
    const { base64 } = await client.call('review/download', { session, format: 'html' });
    client.close();
    const file = path.join(place.folder, 'report.html');
    await writeFile(file, Buffer.from(base64, 'base64'));
    const page = await browser.newPage();
    await page.goto(`file://${file}`);
    await settled(page);
    await expectHarmless(page, 'report');
    expect(page.url()).toBe(`file://${file}`);
    await page.close();
  });
});

/** Long enough for what would run by itself to run. */
async function settled(page: Page): Promise<void> {
  await page.waitForTimeout(700);
}

/** A page that nobody looks at, whose notes are kept instead of shown. */
const UNSEEN = `
  document.hasFocus = () => false;
  globalThis.notes = [];
  globalThis.Notification = class {
    static permission = 'granted';
    constructor(title, { body }) { globalThis.notes.push(title + '\\n' + body); }
    addEventListener() {}
    close() {}
  };`;

/** The demonstration's model under another name of the same length, in a file of an odd name. */
async function hostileModel({ folder }: Place): Promise<string> {
  const bytes = await readFile(TADPOLE.slice('gguf:'.length));
  const named = Buffer.from('Tadpole');
  bytes.set(Buffer.from('<b>\u202e!'), bytes.indexOf(named, bytes.indexOf('general.name')));
  const file = path.join(folder, `${IMAGE.replaceAll('/', '')} ${BIDI.replaceAll('/', '')}.gguf`);
  await writeFile(file, bytes);
  return file;
}

// eslint-disable-next-line no-control-regex -- that is what is looked for
const HIDES = /[\u200b\u202a-\u202e\u2066-\u2069\u001b]/;

/** What a page may hold nothing of: marks of what ran, elements made of text, characters that hide. */
const LOOK = String.raw`({
  pwned: globalThis.__pwned ?? null,
  elements: document.querySelectorAll(
    'img[src="x"], iframe, #root script, svg[onload], [onerror], a[href^="javascript:" i]',
  ).length,
  hidden: [...document.body.innerText.matchAll(
    /.{0,30}[\u200b\u202a-\u202e\u2066-\u2069\u001b].{0,30}/g,
  )].map(([text]) => escape(text)),
})`;

async function expectHarmless(page: Page, where: string): Promise<void> {
  const found = await page.evaluate<object>(LOOK);
  expect({ where, ...found }).toEqual({ where, pwned: null, elements: 0, hidden: [] });
}
