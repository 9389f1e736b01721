#!/usr/bin/env node
/**
 * `npm start` and `vivarium app`: builds the app where it is older than its sources, then opens it: in
 * a window of its own where there is an Electron binary and no words were given, else in the browser.
 * Words on its command line go to `vivarium serve`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { ELECTRON_FOLDER, electronFolder } from './packaging/needs.mjs';
import { ROOT, isMain } from './setup/files.mjs';

const BUILT = path.join(ROOT, 'out', 'renderer', 'index.html');

/** The one that the app needs; with another, the command would start itself once more. */
const NODE = path.join(ROOT, 'node_modules', '.bin', 'node');

/** What the pages are made from. */
const SOURCES = [
  'src-renderer',
  'src-main/contract',
  'electron.vite.config.ts',
  'package-lock.json',
].map((name) => path.join(ROOT, name));

/** @param {string} place file or folder @returns {number} milliseconds since 1970; 0 = nothing there */
export function newestChange(place) {
  const found = statSync(place, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  // A folder changes when a file in it comes or goes.
  const inside = readdirSync(place).map((name) => newestChange(path.join(place, name)));
  return Math.max(found.mtimeMs, ...inside);
}

/**
 * @param {string | null} electron a window of our own also needs what the core is made from
 * @returns {boolean} whether what is built is as new as its sources
 */
function isBuilt(electron) {
  if (!existsSync(BUILT)) return false;
  const builtAt = statSync(BUILT).mtimeMs;
  const sources = electron === null ? SOURCES : [...SOURCES, path.join(ROOT, 'src-main')];
  return sources.every((source) => newestChange(source) <= builtAt);
}

/** @returns {number} exit code */
function build() {
  console.error('building the pages ...');
  const { status, error } = spawnSync(
    path.join(ROOT, 'node_modules', '.bin', 'electron-vite'),
    ['build', '--logLevel', 'warn'],
    // Not on our stdout: that is where the link goes.
    {
      cwd: ROOT,
      stdio: ['ignore', 2, 2],
      env: { ...process.env, ELECTRON_MAJOR_VER: '45' },
    },
  );
  if (error !== undefined) console.error(`${error.message}\nInstall first: npm run bootstrap`);
  return status ?? 3;
}

/**
 * @typedef {{ kind: 'window', folder: string }} InWindow folder of Electron's binary
 * @typedef {{ kind: 'browser', why: string | null, open: boolean }} InBrowser why it is no window, where
 *   nobody asked for the browser; whether there is a screen to open it on
 */

/**
 * How the app is shown. Pure.
 *
 * @param {{ words: string[], env: NodeJS.ProcessEnv, platform: string, folder: string | null }} here
 *   `folder` of Electron's binary
 * @returns {InWindow | InBrowser}
 */
export function howToStart({ words, env, platform, folder }) {
  const open = platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']);
  if (words.length > 0) return { kind: 'browser', why: null, open };
  if (folder === null) {
    const why = `there is no Electron binary here (${ELECTRON_FOLDER} names its folder)`;
    return { kind: 'browser', why, open };
  }
  if (!open) return { kind: 'browser', why: 'there is no screen here', open };
  return { kind: 'window', folder };
}

/** @param {string[]} words @param {boolean} open */
function serve(words, open) {
  const command = path.join(ROOT, 'scripts', 'vivarium.mjs');
  const child = spawn(NODE, [command, 'serve', ...(open ? ['--open'] : []), ...words], {
    // The pipe closes when this process is killed, and the server ends with it.
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...process.env, VIVARIUM_LAUNCHER_FD: '3' },
  });
  // Keys reach the whole group; the end is the child's to decide.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGQUIT'])) process.on(signal, () => {});
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  endWithNpm(child);
  child.on('close', (code) => process.exit(code ?? 1));
}

/** How often it is looked whether npm is still there. */
const PARENT_MS = 500;

/**
 * npm ends its shell when it is ended itself, and nobody tells what the shell had started.
 *
 * @param {import('node:child_process').ChildProcess} child
 */
function endWithNpm(child) {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const shell = process.ppid;
  const npm = parentOf(shell);
  setInterval(() => {
    if (process.ppid !== shell || parentOf(shell) !== npm) child.kill('SIGTERM');
  }, PARENT_MS).unref();
}

/** @param {number} pid @returns {number | null} `null` where the system does not tell */
function parentOf(pid) {
  try {
    // Behind the name, which may hold anything: state, then the parent.
    const behindName = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '');
    return Number(behindName.split(' ')[1]);
  } catch {
    return null;
  }
}

/** @param {string} folder of Electron's binary */
function openWindow(folder) {
  const child = spawn(path.join(ROOT, 'node_modules', '.bin', 'electron'), [ROOT], {
    stdio: 'inherit',
    env: { ...process.env, [ELECTRON_FOLDER]: folder },
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  endWithNpm(child);
  child.on('close', (code) => process.exit(code ?? 1));
}

/**
 * Starts the app; this process ends with it.
 *
 * @param {string[]} words of the command line
 */
export function startApp(words) {
  const { env, platform } = process;
  const folder = electronFolder(ROOT, env, platform);
  const how = howToStart({ words, env, platform, folder });
  const failed = isBuilt(how.kind === 'window' ? how.folder : null) ? 0 : build();
  if (failed !== 0) {
    process.exitCode = failed;
    return;
  }
  if (how.kind === 'window') {
    openWindow(how.folder);
    return;
  }
  if (how.why !== null) console.error(`${how.why}: the app is shown in a browser`);
  serve(words, how.open);
}

if (isMain(import.meta.filename)) startApp(process.argv.slice(2));
