/** Quitting, a second start, files of the desktop, sleep: what the system does with the app. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { settingsSchema } from '../../contract/index.ts';
import { createAppLog } from './app-log.ts';
import type { BrowserWindow } from './electron-module.ts';
import { followApp } from './follow-app.ts';
import { newFixHash } from './folder-in-words.ts';
import { fakeElectron, FakeWindow } from './testing.ts';
import { shellText } from './text.ts';
import type { Windows } from './windows.ts';

function open(running: number, platform: NodeJS.Platform = 'linux') {
  const fake = fakeElectron();
  const window = new FakeWindow({}, 1);
  const shown: string[] = [];
  const told: string[] = [];
  const windows: Windows = {
    known: new Set([1]),
    all: () => [window as unknown as BrowserWindow],
    of: () => undefined,
    load: async () => undefined,
    settings: () => settingsSchema.parse({}),
    use: () => undefined,
    focus() {
      told.push('focus');
      return window as unknown as BrowserWindow;
    },
    show: (hash) => void shown.push(hash),
    keepPlaces: async () => void told.push('places'),
  };
  const core = {
    running: () => Array.from({ length: running }, (_, at) => `s${at}`),
    close: async () => void told.push('core'),
  };
  followApp({ electron: fake.electron, platform, log: createAppLog() }, core, windows);
  const quit = (): boolean => {
    const prevent = vi.fn();
    fake.app.emit('before-quit', { preventDefault: prevent });
    return prevent.mock.calls.length > 0;
  };
  return { fake, window, shown, told, quit };
}

describe('the app', () => {
  const before = process.listeners('uncaughtException');
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'vivarium-follow-'));
  });
  afterEach(() => {
    for (const listener of process.listeners('uncaughtException')) {
      if (!before.includes(listener)) process.off('uncaughtException', listener);
    }
    rmSync(folder, { recursive: true, force: true });
  });

  it('keeps running when the person wants it to, while sessions run', async () => {
    const { fake, told, quit } = open(2);
    expect(quit()).toBe(true);
    await vi.waitFor(() => expect(told).toEqual(['focus']));
    expect(fake.calls).toEqual([`ask ${shellText.quit.message(2)}`]);
  });

  it('ends in order when the person says so: windows kept, core closed, then out', async () => {
    const { fake, told, quit } = open(1);
    fake.person.button = 1;
    quit();
    await vi.waitFor(() => expect(fake.calls).toContain('exit 0'));
    expect(fake.calls[0]).toBe(`ask ${shellText.quit.message(1)}`);
    expect(told).toEqual(['places', 'core']);
  });

  it('asks nobody where nothing runs', async () => {
    const { fake, quit } = open(0);
    quit();
    await vi.waitFor(() => expect(fake.calls).toEqual(['exit 0']));
  });

  it('a second start comes to the window of the first, with the folder it names', () => {
    const { fake, shown } = open(0);
    fake.app.emit('second-instance', {}, ['vivarium-app', '--flag'], '/');
    fake.app.emit('second-instance', {}, ['vivarium-app', path.basename(folder)], os.tmpdir());
    expect(shown).toEqual(['', newFixHash(folder)]);
  });

  it('a folder that the system hands over opens a new fix', () => {
    const { fake, shown } = open(0, 'darwin');
    const preventDefault = vi.fn();
    fake.app.emit('open-file', { preventDefault }, folder);
    expect(shown).toEqual([newFixHash(folder)]);
    expect(preventDefault).toHaveBeenCalledOnce();
  });

  it('quits with its last window, but stays where that is the custom', () => {
    for (const [platform, calls] of [
      ['linux', ['quit']],
      ['darwin', []],
    ] as const) {
      const { fake } = open(0, platform);
      fake.app.emit('window-all-closed');
      expect(fake.calls).toEqual(calls);
    }
  });

  it('draws its ground anew when the system turns light or to contrast', () => {
    const { fake, window } = open(0);
    const theme = fake.electron.nativeTheme as unknown as Record<string, boolean>;
    theme['shouldUseDarkColors'] = false;
    fake.electron.nativeTheme.emit('updated');
    expect(window.background).toBe('#fbfbf9');
    theme['shouldUseHighContrastColors'] = true;
    fake.electron.nativeTheme.emit('updated');
    expect(window.background).toBe('#ffffff');
  });
});
