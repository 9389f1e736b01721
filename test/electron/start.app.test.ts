/** `npm start` and `vivarium app`: a window where Electron is there, the browser door where it is not. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const STARTS = [['scripts/app.mjs'], ['scripts/vivarium.mjs', 'app']];

describe.skipIf(process.platform !== 'linux')('the app', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'vivarium-start-'));
    const program = path.join(folder, 'electron');
    writeFileSync(program, '#!/bin/sh\necho "a window of $*"\nexit 7\n');
    chmodSync(program, 0o755);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function start(words: readonly string[], more: NodeJS.ProcessEnv) {
    const env = { ...process.env, VIVARIUM_HOME: path.join(folder, 'home'), ...more };
    const child = spawn(process.execPath, words, { cwd: ROOT, env, stdio: 'pipe' });
    const said = { out: '', err: '' };
    child.stdout.on('data', (text: Buffer) => (said.out += text.toString()));
    child.stderr.on('data', (text: Buffer) => (said.err += text.toString()));
    return { child, said, closed: once(child, 'close') };
  }

  it.each(STARTS)('opens a window and ends with it: %s %s', async (...words) => {
    const { said, closed } = start(words, { ELECTRON_OVERRIDE_DIST_PATH: folder, DISPLAY: ':9' });
    const [code] = (await closed) as [number];
    expect([code, said.out.trim()]).toEqual([7, `a window of ${ROOT}`]);
  });

  it.each(STARTS)('says in one line why it is a browser, and serves: %s %s', async (...words) => {
    const nothing = { ELECTRON_OVERRIDE_DIST_PATH: folder, DISPLAY: '', WAYLAND_DISPLAY: '' };
    const { child, said, closed } = start(words, nothing);
    await vi.waitFor(() => expect(said.out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=\S+\n$/), {
      timeout: 30_000,
    });
    expect(said.err.split('\n')[0]).toBe('there is no screen here: the app is shown in a browser');
    child.kill('SIGTERM');
    await closed;
  });

  it('ends with the npm that started it, however that ended', async () => {
    const nothing = { ELECTRON_OVERRIDE_DIST_PATH: folder, DISPLAY: '', WAYLAND_DISPLAY: '' };
    const env = { ...process.env, VIVARIUM_HOME: path.join(folder, 'npm'), ...nothing };
    const npm = spawn('npm', ['start'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'ignore'] });
    let out = '';
    npm.stdout.on('data', (text: Buffer) => (out += text.toString()));
    const address = () => /http:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0];
    await vi.waitFor(() => expect(address()).toBeDefined(), { timeout: 30_000 });
    const isServed = () =>
      fetch(address() ?? '').then(
        () => true,
        () => false,
      );
    expect(await isServed()).toBe(true);
    npm.kill('SIGKILL');
    await vi.waitFor(async () => expect(await isServed()).toBe(false), { timeout: 5_000 });
  });

  it('is known to the command line', async () => {
    const { said, closed } = start(['scripts/vivarium.mjs', 'app', '--help'], {});
    expect(await closed).toEqual([0, null]);
    expect(said.out).toContain('open the app in a window of its own');
  });
});
