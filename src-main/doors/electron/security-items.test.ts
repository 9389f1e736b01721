/** Electron's security checklist, item by item, as the reference lists it. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { FuseV1Options } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fuseConfig } from '../../../scripts/packaging/fuses.mjs';
import { SECURITY_HEADERS } from '../assets/index.ts';
import { answerAppRequest, APP_SCHEME } from './app-protocol.ts';
import { guardContents } from './guard-contents.ts';
import { guardSession } from './guard-session.ts';
import { isAllowedRequest, isAppUrl } from './is-app-url.ts';
import { permission } from './permission.ts';
import { startApp } from './start-app.ts';
import { fakeElectron, FakeContents } from './testing.ts';
import { senderFault } from './trusted-sender.ts';
import { windowOptions } from './window-options.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');
const SOURCES = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.ts') && !/test(ing)?\.ts$/.test(name))
  .map((name) => [name, readFileSync(path.join(import.meta.dirname, name), 'utf8')] as const);

const FOREIGN = [
  '',
  'about:blank',
  'app://UI/',
  'app://ui.evil/',
  'app://ui:80/',
  'app://user@ui/',
  'app:ui',
  'data:text/html,x',
  'file:///etc/passwd',
  'http://ui/',
  'https://example.org/app://ui/',
  'javascript:alert(1)',
  'blob:app://ui/1',
];

const OPTIONS = windowOptions({
  bounds: { x: 0, y: 0, width: 1280, height: 800 },
  preload: '/app/preload.cjs',
  dark: true,
  contrast: false,
  devTools: false,
});

function navigation(url: string) {
  let prevented = false;
  return { url, preventDefault: () => (prevented = true), isPrevented: () => prevented };
}

it('each of the 20 items has a test that is called by its number', () => {
  const titles = ['security-items', 'preload', 'run-app'].map((name) =>
    readFileSync(path.join(import.meta.dirname, `${name}.test.ts`), 'utf8'),
  );
  const named = titles.join('\n').matchAll(/(?<=['"])\d+(?: \d+)*(?=[ '])/g);
  const numbers = new Set([...named].flatMap(([found]) => found.split(' ').map(Number)));
  const missing = Array.from({ length: 20 }, (_, at) => at + 1).filter((n) => !numbers.has(n));
  expect(missing).toEqual([]);
});

describe('Electron security item', () => {
  it.each(['app://ui', 'app://ui/', 'app://ui/assets/x.js?y#z'])('1 loads %s', (url) => {
    expect(isAppUrl(url)).toBe(true);
  });
  it.each(FOREIGN)('1 loads nothing else: %s', (url) => {
    expect(isAppUrl(url)).toBe(false);
  });
  it('1 no request leaves the app', () => {
    const open = { devTools: false };
    expect(isAllowedRequest('https://example.org/', open)).toBe(false);
    expect(isAllowedRequest('blob:https://example.org/1', open)).toBe(false);
    expect(isAllowedRequest('devtools://devtools/x', open)).toBe(false);
    expect(isAllowedRequest('blob:app://ui/1', open)).toBe(true);
  });

  it('2 3 4 no Node in pages, contexts apart, sandbox', () => {
    expect(OPTIONS.webPreferences).toEqual({
      preload: '/app/preload.cjs',
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      devTools: false,
    });
    expect(OPTIONS.show).toBe(false);
  });
  it('4 the whole app is sandboxed, before anything else and before the lock', () => {
    const fake = fakeElectron({ locked: true });
    startApp({ electron: fake.electron, env: {}, argv: [], platform: 'linux' });
    expect(fake.calls).toEqual(['enableSandbox', 'lock', 'quit']);
  });
  it.runIf(existsSync(path.join(ROOT, 'out/preload/preload.cjs')))(
    '4 20 the built preload is one file that requires electron alone',
    () => {
      const built = readFileSync(path.join(ROOT, 'out/preload/preload.cjs'), 'utf8');
      expect([...built.matchAll(/require\(([^)]*)\)/g)].map(([, name]) => name)).toEqual([
        '"electron"',
      ]);
      expect(readdirSync(path.join(ROOT, 'out/preload'))).toEqual(['preload.cjs']);
    },
  );

  it('5 permissions are denied with a reason, but for writing text to the clipboard', () => {
    for (const name of ['media', 'geolocation', 'notifications', 'openExternal', 'constructor']) {
      expect(permission(name, 'app://ui/').allowed).toBe(false);
      expect(permission(name, 'app://ui/').reason).not.toBe('');
    }
    expect(permission('clipboard-sanitized-write', 'app://ui/').allowed).toBe(true);
    expect(permission('clipboard-sanitized-write', 'https://example.org/').allowed).toBe(false);
  });
  it('5 request, check and device handlers are all set', () => {
    const { session, permit } = fakeElectron();
    guardSession(session as never, { devTools: false, tell: () => undefined });
    const granted: boolean[] = [];
    const details = { requestingUrl: 'app://ui/' };
    permit.request?.(null, 'media', (is: boolean) => granted.push(is), details);
    expect(granted).toEqual([false]);
    expect(permit.check?.(null, 'media', 'app://ui')).toBe(false);
    expect(permit.device?.({})).toBe(false);
    const answers: unknown[] = [];
    permit.before?.({ url: 'https://example.org/' }, (answer: unknown) => answers.push(answer));
    expect(answers).toEqual([{ cancel: true }]);
  });

  it.each([
    ['blob:app://ui/1', false],
    ['app://ui/assets/x.js', true],
    ['blob:https://example.org/1', true],
    ['https://example.org/x', true],
    ['file:///etc/passwd', true],
  ])(
    '5 of downloads only what a page made itself is saved, where a person says: %s',
    (url, refused) => {
      const { session } = fakeElectron();
      guardSession(session as never, { devTools: false, tell: () => undefined });
      const event = navigation(url);
      const setSavePath = vi.fn();
      session.emit('will-download', event, { getURL: () => url, setSavePath });
      expect(event.isPrevented()).toBe(refused);
      // Without a path Electron asks in the system's dialog.
      expect(setSavePath).not.toHaveBeenCalled();
    },
  );

  it.each([
    ['6', /webSecurity/],
    ['8', /allowRunningInsecureContent/],
    ['9', /experimentalFeatures/],
    ['10', /enableBlinkFeatures/],
    ['15', /\bshell\.\w|\bshell\b[,}]|openExternal\(/],
  ])('%s never set or used', (_item, pattern) => {
    expect(SOURCES.length).toBeGreaterThan(20);
    expect(SOURCES.filter(([, text]) => pattern.test(text)).map(([name]) => name)).toEqual([]);
  });

  it('11 12 no webview is attached', () => {
    const contents = new FakeContents(1);
    guardContents(contents as never, () => undefined);
    const event = navigation('app://ui/');
    contents.emit('will-attach-webview', event, {}, {});
    expect(event.isPrevented()).toBe(true);
  });

  it.each(['will-navigate', 'will-frame-navigate', 'will-redirect'])(
    '13 %s leads to our own pages only',
    (name) => {
      const contents = new FakeContents(1);
      guardContents(contents as never, () => undefined);
      const outcome = (url: string) => {
        const event = navigation(url);
        contents.emit(name, event, url);
        return event.isPrevented();
      };
      expect(outcome('app://ui/#/models')).toBe(false);
      expect(FOREIGN.map(outcome)).toEqual(FOREIGN.map(() => true));
    },
  );
  it('14 no window opens, not even one of ours', () => {
    const contents = new FakeContents(1);
    guardContents(contents as never, () => undefined);
    expect(contents.openHandler?.({ url: 'app://ui/' })).toEqual({ action: 'deny' });
  });
  it('16 Electron is pinned', () => {
    const { devDependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
    expect(devDependencies.electron).toMatch(/^45\.\d+\.\d+$/);
  });

  it('17 only the page of our window is answered', () => {
    const known = new Set([1]);
    const page = { parent: null, url: 'app://ui/' };
    const fault = (id: number, senderFrame: unknown) =>
      senderFault({ sender: { id }, senderFrame: senderFrame as never }, known);
    expect(fault(1, page)).toBe(null);
    expect(fault(1, null)).toBe('the frame that sent it is gone');
    expect(fault(2, page)).toBe('it comes from no window of ours');
    expect(fault(1, { ...page, parent: page })).toBe('it comes from a frame inside the page');
    expect(fault(1, { ...page, url: 'https://x/' })).toBe('it comes from no page of ours');
  });

  describe('18 files', () => {
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(path.join(os.tmpdir(), 'vivarium-ui-'));
      mkdirSync(path.join(folder, 'ui'));
      mkdirSync(path.join(folder, 'ui-secret'));
      writeFileSync(path.join(folder, 'ui', 'index.html'), '<p>');
      writeFileSync(path.join(folder, 'ui-secret', 'x.txt'), 'secret');
      symlinkSync(path.join(folder, 'ui-secret', 'x.txt'), path.join(folder, 'ui', 'link.txt'));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    const ask = (url: string, method = 'GET') =>
      answerAppRequest(path.join(folder, 'ui'), { url, method });

    it('7 the page comes with the headers of the other door', async () => {
      const answer = await ask('app://ui/');
      expect(answer.status).toBe(200);
      expect(await answer.text()).toBe('<p>');
      for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
        expect(answer.headers.get(name)).toBe(value);
      }
    });
    it.each([
      ['app://ui/../ui-secret/x.txt', 404],
      ['app://ui/%2e%2e/ui-secret/x.txt', 404],
      ['app://ui/..%2fui-secret/x.txt', 404],
      ['app://ui-secret/x.txt', 403],
      ['app://ui/link.txt', 404],
      ['app://ui//etc/passwd', 404],
    ])('18 %s is not given out', async (url, status) => {
      const answer = await ask(url);
      expect(answer.status).toBe(status);
      expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    });
    it('18 nothing is sent to it; the scheme has no more rights than it needs', async () => {
      expect((await ask('app://ui/', 'POST')).status).toBe(405);
      expect(APP_SCHEME.privileges).toEqual({
        standard: true,
        secure: true,
        supportFetchAPI: true,
      });
      expect(SOURCES.filter(([, text]) => /file:\/\/|loadFile/.test(text))).toEqual([]);
    });
  });

  it.each(['linux', 'darwin', 'win32'])('19 fuses of %s', (platform) => {
    const fuses = fuseConfig(platform) as unknown as Record<number, boolean>;
    const off = ['RunAsNode', 'EnableNodeOptionsEnvironmentVariable'] as const;
    for (const name of off) expect(fuses[FuseV1Options[name]]).toBe(false);
    expect(fuses[FuseV1Options.EnableNodeCliInspectArguments]).toBe(false);
    expect(fuses[FuseV1Options.GrantFileProtocolExtraPrivileges]).toBe(false);
    expect(fuses[FuseV1Options.OnlyLoadAppFromAsar]).toBe(true);
    expect(fuses[FuseV1Options.EnableCookieEncryption]).toBe(true);
    expect(fuses[FuseV1Options.EnableEmbeddedAsarIntegrityValidation]).toBe(platform !== 'linux');
  });
});
