#!/usr/bin/env node
/**
 * `npm start`: builds the app where it is older than its sources, then opens it: in a window of its
 * own where there is an Electron binary and no words were given, else in the browser. Words on its
 * command line go to `vivarium serve`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { electronFolder } from './packaging/needs.mjs';
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

/** @returns {string[]} */
function openWhereSeen() {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  const hasScreen = process.platform !== 'linux' || Boolean(DISPLAY ?? WAYLAND_DISPLAY);
  return hasScreen ? ['--open'] : [];
}

/** @param {string[]} words */
function serve(words) {
  const command = path.join(ROOT, 'scripts', 'vivarium.mjs');
  const child = spawn(NODE, [command, 'serve', ...openWhereSeen(), ...words], {
    // The pipe closes when this process is killed, and the server ends with it.
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...process.env, VIVARIUM_LAUNCHER_FD: '3' },
  });
  // Keys reach the whole group; the end is the child's to decide.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGQUIT'])) process.on(signal, () => {});
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('close', (code) => process.exit(code ?? 1));
}

/** @param {string} folder of Electron's binary */
function openWindow(folder) {
  const child = spawn(path.join(ROOT, 'node_modules', '.bin', 'electron'), [ROOT], {
    stdio: 'inherit',
    env: { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: folder },
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('close', (code) => process.exit(code ?? 1));
}

if (isMain(import.meta.filename)) {
  const words = process.argv.slice(2);
  const electron =
    words.length === 0 && openWhereSeen().length > 0
      ? electronFolder(ROOT, process.env, process.platform)
      : null;
  const failed = isBuilt(electron) ? 0 : build();
  if (failed === 0 && electron !== null) openWindow(electron);
  else if (failed === 0) serve(words);
  else process.exitCode = failed;
}
