/**
 * Opens the built page over the real door with a core of sample answers, in both themes and sizes;
 * takes pictures, runs axe, and fails on any finding, any CSP report, and any error of the page.
 * `node test/app/smoke/smoke.ts [FOLDER FOR PICTURES]`
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, chromium, type Page } from 'playwright';
import { startServer } from '../../../src-main/doors/serve/index.ts';
import { createSampleCore, type SampleCore } from './sample.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];
const THEMES = ['light', 'dark'] as const;

/** Debian's browser, told to open no connection of its own. */
const FLAGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-sync',
  '--metrics-recording-only',
  '--no-first-run',
  '--no-pings',
  '--no-sandbox',
];

interface View {
  name: string;
  at: string;
  /** What is done before the picture. */
  act?: (page: Page) => Promise<void>;
}

const VIEWS: View[] = [
  { name: 'shell', at: '/#/sessions' },
  {
    name: 'palette',
    at: '/#/models',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('se');
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  {
    name: 'keys',
    at: '/#/settings',
    act: async (page) => {
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'gallery', at: '/testing/index.html' },
  {
    name: 'gallery-list',
    at: '/testing/index.html#contrast',
    act: async (page) => {
      await page.getByRole('tab', { name: 'List' }).click();
      await page.getByRole('grid').focus();
      await page.keyboard.press('End');
      await page.keyboard.press('k');
      await page.getByText('Row 9998', { exact: true }).waitFor();
    },
  },
];

const problems: string[] = [];
const out = path.resolve(process.argv[2] ?? 'out/smoke');
const home = mkdtempSync(path.join(os.tmpdir(), 'smoke-'));
const renderer = path.join(home, 'renderer');
mkdirSync(out, { recursive: true });
buildPages();
const core = createSampleCore();
const server = await startServer({
  ...{ home, renderer, port: 0, handlers: core.handlers },
  onFault: (name, thrown) => void problems.push(`${name}: ${String(thrown)}`),
  onLocked: () => undefined,
});
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS });
try {
  await inEachLook(browser, core);
} finally {
  await browser.close();
  await server.close();
  rmSync(home, { recursive: true, force: true });
}
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(problems.length === 0 ? 'no findings\n' : `${problems.length} findings\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** The app and the page of all components, each as a site of its own. */
function buildPages(): void {
  for (const part of ['.', 'testing']) {
    const root = path.join(ROOT, 'src-renderer', part);
    const words = ['--base', './', '--outDir', path.join(renderer, part), '--logLevel', 'error'];
    const { status } = spawnSync('vite', ['build', root, ...words], {
      cwd: ROOT,
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error(`building ${root} ended with ${status}`);
  }
}

async function inEachLook(browser: Browser, core: SampleCore): Promise<void> {
  for (const colorScheme of THEMES) {
    for (const viewport of SIZES) {
      const context = await browser.newContext({ colorScheme, viewport, reducedMotion: 'reduce' });
      const page = await context.newPage();
      listen(page);
      await page.goto(server.link());
      for (const view of VIEWS)
        await look(page, view, `${view.name}-${colorScheme}-${viewport.width}`);
      if (viewport.width === 1280 && colorScheme === 'light') await narrow(page);
      await context.close();
    }
  }
  await behaves(browser, core);
}

async function look(page: Page, view: View, name: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(new URL(view.at, `http://127.0.0.1:${server.port}`).href);
  await page.locator('#root > *').first().waitFor();
  if (!view.at.includes('testing')) await page.getByText('connected', { exact: true }).waitFor();
  await view.act?.(page);
  await page.waitForTimeout(400);
  await page.screenshot({ path: path.join(out, `${name}.png`) });
  // Rules of react-aria's own overlay: while one is open, the rest is hidden from all.
  const { violations } = await new AxeBuilder({ page }).analyze();
  for (const { id, help, nodes } of violations) {
    problems.push(
      `axe ${name}: ${id} ${help}\n    ${nodes.map(({ html }) => html.slice(0, 160)).join('\n    ')}`,
    );
  }
}

/** 200 % zoom, and the narrowest width that is supported. */
async function narrow(page: Page): Promise<void> {
  for (const [name, width] of [
    ['1024', 1024],
    ['zoom200', 640],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await look(page, { name, at: '/#/sessions' }, `shell-${name}`);
    await look(page, { name, at: '/testing/index.html' }, `gallery-${name}`);
    const overflow = await page
      .locator('html')
      .evaluate((html) => html.scrollWidth - html.clientWidth);
    if (overflow > 0) problems.push(`${name}: ${overflow} px wider than the page`);
  }
}

/** What a person does with the keyboard alone. */
async function behaves(browser: Browser, core: SampleCore): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  listen(page);
  await page.goto(server.link());
  await page.getByText('FrogNano-4B · vLLM').waitFor();
  await page.keyboard.press('Tab');
  const first = await page.locator(':focus').textContent();
  if (first !== 'Skip to the content') problems.push(`the first stop of Tab is ${first}`);
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await page.waitForURL(/#\/models$/);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('envir');
  await page.keyboard.press('Enter');
  await page.waitForURL(/#\/environment$/);
  core.emit({
    number: 1,
    sessionId: '01JSAMPLE0',
    attemptId: null,
    at: Date.now(),
    body: { type: 'session.finished', outcome: 'verified', attemptId: null, detail: null },
  });
  await page.getByText('A fix is verified: Interest is lost on leap days').first().waitFor();
  await page.screenshot({ path: path.join(out, 'notice.png') });
  await page.getByRole('button', { name: 'Open' }).click();
  await page.waitForURL(/#\/session\/01JSAMPLE0\/review$/);
}

function listen(page: Page): void {
  page.on('pageerror', (error) => void problems.push(`page: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`);
  });
}
