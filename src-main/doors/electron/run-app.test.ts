/** The door as a whole, on an Electron that only notes what it is told, over the real core. */
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startApp } from './start-app.ts';
import { fakeElectron } from './testing.ts';

/** One end of a port; what is posted to the page is kept. */
class Port extends EventEmitter {
  readonly posted: unknown[] = [];
  closed = false;
  start(): void {}
  postMessage(message: unknown): void {
    this.posted.push(message);
    if (typeof message === 'string') queueMicrotask(() => this.emit('message', { data: 1 }));
  }
  close(): void {
    this.closed = true;
  }
}

const PAGE = { parent: null, url: 'app://ui/' };

describe('the app', () => {
  const fake = fakeElectron();
  let home: string;

  beforeAll(async () => {
    home = mkdtempSync(path.join(os.tmpdir(), 'vivarium-app-'));
    startApp({
      electron: fake.electron,
      env: { VIVARIUM_HOME: home },
      argv: ['vivarium'],
      platform: 'linux',
    });
    await vi.waitUntil(() => fake.windows.length === 1, { timeout: 15_000 });
  });
  afterAll(async () => {
    fake.app.emit('before-quit', { preventDefault: () => undefined });
    await vi.waitUntil(() => fake.calls.includes('exit 0'), { timeout: 15_000 });
    rmSync(home, { recursive: true, force: true });
  });

  const connect = (sender: { id: number }, senderFrame: unknown = PAGE): Port => {
    const port = new Port();
    fake.ports.emit('vivarium:connect', { sender, senderFrame, ports: [port] });
    return port;
  };
  const answerOf = async (port: Port): Promise<unknown> => {
    await vi.waitFor(() => expect(port.posted.length).toBeGreaterThan(0), { timeout: 10_000 });
    return JSON.parse(String(port.posted[0]));
  };

  it('takes its lock and its rights before Electron is ready', () => {
    const { calls } = fake;
    expect(calls.indexOf('enableSandbox')).toBe(0);
    expect(calls.indexOf('lock')).toBeLessThan(calls.indexOf('ready'));
    expect(calls.findIndex((call) => call.startsWith('schemes'))).toBeLessThan(
      calls.indexOf('ready'),
    );
    expect(calls).toContain('protocol app');
    expect(calls).toContain('menu');
  });

  it('shows its window when the page is there, on dark ground where the system is dark', () => {
    const [window] = fake.windows;
    expect(window?.urls).toEqual(['app://ui/']);
    expect(window?.options.backgroundColor).toBe('#131613');
    expect(window?.shown).toBe(false);
    window?.emit('ready-to-show');
    expect(window?.shown).toBe(true);
  });

  it('answers its page by the contract', async () => {
    const port = connect({ id: 1 });
    port.emit('message', {
      data: JSON.stringify({ type: 'call', id: 1, name: 'settings/get', input: {} }),
    });
    expect(await answerOf(port)).toMatchObject({
      type: 'result',
      id: 1,
      output: { theme: 'system' },
    });
  });

  it('17 tells whoever it refuses', async () => {
    for (const port of [connect({ id: 7 }), connect({ id: 1 }, null)]) {
      expect(await answerOf(port)).toMatchObject({ type: 'error', error: { code: 'bad_request' } });
      expect(port.closed).toBe(true);
    }
    const badge = fake.answers.get('vivarium:badge');
    expect(() => badge?.({ sender: { id: 7 }, senderFrame: PAGE }, 1)).toThrow(
      'refused: it comes from no window of ours',
    );
    expect(() => badge?.({ sender: { id: 1 }, senderFrame: PAGE }, 'many')).toThrow(
      'expected number',
    );
    badge?.({ sender: { id: 1 }, senderFrame: PAGE }, 3);
    expect(fake.calls).toContain('badge 3');
  });

  it('follows the theme of the settings and keeps where the window was', async () => {
    const port = connect({ id: 1 });
    const input = { theme: 'contrast' };
    port.emit('message', {
      data: JSON.stringify({ type: 'call', id: 1, name: 'settings/set', input }),
    });
    await answerOf(port);
    expect(fake.windows[0]?.background).toBe('#000000');
    fake.windows[0]?.emit('close');
    const again = connect({ id: 1 });
    await sleep(50);
    again.emit('message', {
      data: JSON.stringify({ type: 'call', id: 1, name: 'settings/get', input: {} }),
    });
    expect(await answerOf(again)).toMatchObject({
      output: { window: { x: 10, y: 20, width: 900, height: 700, maximized: false } },
    });
  });

  it('opens the session of a note that is clicked, in front', () => {
    const notify = fake.answers.get('vivarium:notify');
    const [window] = fake.windows;
    const note = { title: 'Fixed', body: 'ages', tag: 'session-1' };
    expect(notify?.({ sender: { id: 1 }, senderFrame: PAGE }, note)).toBe(true);
    if (window) window.minimized = true;
    fake.notes.at(-1)?.click();
    expect(window?.webContents.sent).toContainEqual(['vivarium:note-opened', 'session-1']);
    expect([window?.minimized, window?.focused]).toEqual([false, 1]);
  });

  it('writes an export into the folder that was picked, once, and nowhere else', async () => {
    const refused = async (out: string): Promise<unknown> => {
      const port = connect({ id: 1 });
      const input = { session: 'none', format: 'patch', out };
      port.emit('message', {
        data: JSON.stringify({ type: 'call', id: 1, name: 'review/export', input }),
      });
      return ((await answerOf(port)) as { error: { code: string } }).error.code;
    };
    const pick = fake.answers.get('vivarium:pick');
    const ask = (kind: string) =>
      pick?.({ sender: { id: 1 }, senderFrame: PAGE }, { kind, title: 'x' });
    fake.person.picked = path.join(home, 'picked');
    expect(await ask('folder')).toBe(fake.person.picked);
    // Picked to be read only.
    expect(await refused(fake.person.picked)).toBe('out_unwritable');
    expect(await ask('saveFolder')).toBe(fake.person.picked);
    expect(await refused(path.join(fake.person.picked, 'below'))).toBe('out_unwritable');
    // Let through: the core knows no such session.
    expect(await refused(fake.person.picked)).toBe('session_not_found');
    expect(await refused(fake.person.picked)).toBe('out_unwritable');
  });

  it('opens a new fix with the repository that its menu asked for', async () => {
    const menus = fake.menu.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
    const item = menus.find(({ accelerator }) => accelerator === 'CmdOrCtrl+O');
    item?.click?.(undefined as never, undefined, undefined as never);
    await vi.waitFor(() =>
      expect(fake.windows[0]?.urls.at(-1)).toBe(
        `app://ui/#/new?repository=${encodeURIComponent(path.join(home, 'picked'))}`,
      ),
    );
    expect(fake.calls).toContain(`recent ${path.join(home, 'picked')}`);
  });

  it('loads a page again whose process has ended', () => {
    const [window] = fake.windows;
    window?.webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 11 });
    expect(window?.webContents.reloads).toBe(1);
  });
});
