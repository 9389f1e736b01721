/** The app in Electron itself, where its binary is there. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { _electron } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { electronFolder, whyNoPackage } from '../../scripts/packaging/needs.mjs';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const missing = whyNoPackage(ROOT, process.env, process.platform);
const reason = missing === null ? '' : ` (skipped: ${missing.cause}. ${missing.next})`;

describe.skipIf(missing !== null)(`the app in Electron${reason}`, () => {
  let home: string;
  beforeAll(() => {
    home = mkdtempSync(path.join(os.tmpdir(), 'vivarium-electron-'));
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it('opens its page over app://ui with the bridge and nothing else', async () => {
    const folder = electronFolder(ROOT, process.env, process.platform) ?? '';
    const app = await _electron.launch({
      executablePath: path.join(folder, process.platform === 'win32' ? 'electron.exe' : 'electron'),
      args: [ROOT],
      env: { ...process.env, VIVARIUM_HOME: home },
    });
    try {
      const page = await app.firstWindow();
      expect(page.url()).toMatch(/^app:\/\/ui\//);
      expect(await page.evaluate('Object.keys(vivarium)')).toEqual([
        ...['send', 'subscribe', 'platform'],
      ]);
      expect(await page.evaluate('typeof require + typeof process')).toBe('undefinedundefined');
      await page.getByRole('navigation').first().waitFor();
    } finally {
      await app.close();
    }
  });
});
