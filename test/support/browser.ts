/** Debian's Chromium on the app as a person has it: `vivarium serve`, the built pages, a home of its own. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright';
import { chromiumPath, whyNoBrowser } from '../../scripts/setup/browser.mjs';
import { COMMAND, type Place } from '../cli/command.ts';

/** Whether there is a browser to test with; `npm test` says so in one line where there is none. */
export const hasBrowser = whyNoBrowser() === undefined;

/** Nothing of its own may be looked up or fetched; Debian's build is told the rest by its packager. */
const CLOSED_NETWORK = [
  '--disable-background-networking',
  '--disable-client-side-phishing-detection',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-features=AutofillServerCommunication,CertificateTransparencyComponentUpdater,' +
    'DialMediaRouteProvider,MediaRouter,NetworkTimeServiceQuerying,OptimizationHints,Translate',
  '--disable-sync',
  '--dns-prefetch-disable',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--metrics-recording-only',
  '--no-first-run',
  '--no-pings',
];

export function launchBrowser(): Promise<Browser> {
  // Root, as in a container, has no sandbox in Chromium; its pages here are ours.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({
    executablePath: chromiumPath(),
    args: [...CLOSED_NETWORK, ...asRoot, '--disable-gpu', '--force-color-profile=srgb'],
  });
}

export interface Served {
  /** A link that was not used yet; each opens one browser. */
  link(): string;
  port: number;
  pid: number;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<void>;
}

/** Starts `vivarium serve` on the data of a place and resolves once it has said its link. */
export async function serveApp(
  place: Place,
  port = 0,
  env: NodeJS.ProcessEnv = {},
): Promise<Served> {
  const user = path.join(place.folder, 'user');
  mkdirSync(user, { recursive: true });
  const child = spawn(process.execPath, [COMMAND, 'serve', '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: place.folder,
    env: { ...process.env, HOME: user, VIVARIUM_HOME: place.home, ...env },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<void>((resolve) => void child.on('close', () => resolve()));
  const first = await new Promise<string>((resolve, reject) => {
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      const found = /^(http:\S+)\n/.exec(out)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error(`serve ended without a link:\n${stderr}`)));
  });
  const at = Number(new URL(first).port);
  const file = path.join(place.home, 'serve', `${at}.url`);
  return {
    ...{ port: at, pid: child.pid ?? Number.NaN, ended },
    link: () => readFileSync(file, 'utf8').split('\n')[0] ?? '',
    stderr: () => stderr,
    kill: (signal) => void child.kill(signal),
  };
}

/** Ends it as Ctrl-C does. */
export async function endServe(served: Served): Promise<void> {
  served.kill('SIGINT');
  await served.ended;
}

/** A tab, and everything in it that must not be. */
export interface Tab {
  page: Page;
  /** CSP violations, errors of page and console, requests that failed or went elsewhere. */
  findings: string[];
  close(): Promise<void>;
}

export async function openTab(
  browser: Browser,
  link: string,
  options: BrowserContextOptions = {},
): Promise<Tab> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    acceptDownloads: true,
    ...options,
  });
  const findings: string[] = [];
  await context.exposeBinding('tellViolation', (_source, text: string) => {
    findings.push(`content security policy: ${text}`);
  });
  await context.addInitScript(`document.addEventListener('securitypolicyviolation', (event) => {
    tellViolation(event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sourceFile);
  })`);
  const page = await context.newPage();
  listen(page, new URL(link).host, findings);
  await page.goto(link);
  return { page, findings, close: () => context.close() };
}

const NETWORK_CHANGED = 'net::ERR_NETWORK_CHANGED';

function listen(page: Page, host: string, findings: string[]): void {
  page.on('pageerror', (error) => void findings.push(`page: ${error.message}`));
  page.on('dialog', (dialog) => {
    findings.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.text().endsWith(NETWORK_CHANGED)) return;
    if (message.type() === 'error' || message.type() === 'warning')
      findings.push(`console: ${message.text()}`);
  });
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText;
    // Those that a page had begun when it was left, and those that the browser cuts off when another
    // program brings up a network on this machine: the page reads them again.
    if (why !== 'net::ERR_ABORTED' && why !== NETWORK_CHANGED)
      findings.push(`request failed: ${request.url()} ${why}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (['http:', 'https:', 'ws:', 'wss:'].includes(url.protocol) && url.host !== host)
      findings.push(`request elsewhere: ${request.url()}`);
  });
}

/** Waits until the page talks with its core. */
export async function connected(page: Page): Promise<void> {
  await page.getByText('connected', { exact: true }).waitFor();
}
