/** What `npm run package` needs, and what is missing on this machine. */
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Variable by which a folder with Electron's unpacked binary is named. */
export const ELECTRON_FOLDER = 'ELECTRON_OVERRIDE_DIST_PATH';

/** @type {Record<string, string>} file of Electron's program by platform */
const PROGRAMS = {
  linux: 'electron',
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};

/**
 * @param {string} root of the checkout
 * @param {NodeJS.ProcessEnv} env
 * @param {string} platform
 * @returns {string | null} folder that holds Electron's binary
 */
export function electronFolder(root, env, platform) {
  const folders = [env[ELECTRON_FOLDER], path.join(root, 'node_modules', 'electron', 'dist')];
  const program = PROGRAMS[platform] ?? 'electron';
  return (
    folders.find((folder) => folder !== undefined && existsSync(path.join(folder, program))) ?? null
  );
}

/**
 * @param {string} root
 * @param {string} platform
 * @returns {string} the Node that goes into a package
 */
export function shippedNode(root, platform) {
  const name = platform === 'win32' ? 'node.exe' : 'node';
  return path.join(root, 'node_modules', 'node', 'bin', name);
}

/**
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @param {string} platform
 * @returns {{ cause: string, next: string } | null} the first thing that is missing
 */
export function whyNoPackage(root, env, platform) {
  if (electronFolder(root, env, platform) === null) {
    return {
      cause: `there is no Electron binary for ${platform}`,
      next: `Unpack the release of Electron that package.json names, and set ${ELECTRON_FOLDER} to its folder.`,
    };
  }
  if (!existsSync(shippedNode(root, platform))) {
    return { cause: 'the pinned Node is not installed', next: 'Run `npm run bootstrap`.' };
  }
  if (!existsSync(path.join(root, 'out', 'main', 'electron.js'))) {
    return { cause: 'the app is not built', next: 'Run `npm run build`.' };
  }
  return null;
}
