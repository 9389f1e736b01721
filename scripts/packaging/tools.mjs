/**
 * The tools that electron-builder fetches for kinds of packages, and whether they are on this machine.
 * Archives and versions are those of electron-builder 26.17; tools.test.ts compares them with it.
 */
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * @typedef {object} Tool
 * @property {string} archive its place in electron-builder's cache
 * @property {string} [override] variable that names one that is installed already
 */

/** Of the toolsets that there is more than one of; for electron-builder's configuration. */
export const TOOLSETS = /** @type {const} */ ({ appimage: '1.0.3', nsis: '1.2.1' });

/** Kinds of packages by platform, as `npm run package` makes them. */
export const TARGETS = /** @type {const} */ ({
  linux: ['AppImage', 'deb'],
  win32: ['nsis', 'zip'],
  darwin: ['dmg', 'zip'],
});

/** @type {Record<string, Record<string, string>>} names of processors in names of archives */
const PROCESSORS = {
  '7zip-linux': { x64: 'x64', arm64: 'arm64' },
  '7zip-win': { x64: 'x64', arm64: 'arm64' },
  fpm: { x64: 'amd64', arm64: 'arm64v8' },
  dmg: { x64: 'x86_64', arm64: 'arm64' },
};

/** @param {string} kind @param {string} arch */
const processor = (kind, arch) => PROCESSORS[kind]?.[arch] ?? arch;

/** @param {string} arch @returns {Record<string, Record<string, Tool[]>>} by platform and target */
function toolsBy(arch) {
  /** @param {string} name @returns {Tool} */
  const sevenZip = (name) => ({
    archive: `7zip@1.0.0/${name}-${processor(name, arch)}.tar.gz`,
    override: 'ELECTRON_BUILDER_7ZIP_PATH',
  });
  return {
    linux: {
      AppImage: [
        {
          archive: `appimage@${TOOLSETS.appimage}/appimage-tools-runtime-20251108.tar.gz`,
          override: 'APPIMAGE_TOOLS_PATH',
        },
      ],
      deb: [
        {
          archive: `fpm@2.1.4/fpm-1.17.0-ruby-3.4.3-linux-${processor('fpm', arch)}.7z`,
          override: 'CUSTOM_FPM_PATH',
        },
        sevenZip('7zip-linux'),
      ],
    },
    win32: {
      nsis: [
        {
          archive: `nsis@${TOOLSETS.nsis}/nsis-bundle-3.12.tar.gz`,
          override: 'ELECTRON_BUILDER_NSIS_DIR',
        },
        sevenZip('7zip-win'),
      ],
      zip: [sevenZip('7zip-win')],
    },
    darwin: {
      dmg: [
        {
          archive: `dmg-builder@1.2.5/dmgbuild-bundle-${processor('dmg', arch)}-75c8a6c.tar.gz`,
          override: 'CUSTOM_DMGBUILD_PATH',
        },
      ],
      zip: [],
    },
  };
}

/**
 * @param {string[]} words for electron-builder
 * @param {string} platform
 * @returns {string[]} kinds of packages that it will make; none for the folder alone
 */
export function targetsOf(words, platform) {
  const all = /** @type {Record<string, readonly string[]>} */ (TARGETS)[platform] ?? [];
  if (words.includes('--dir')) return [];
  const named = all.filter((target) => words.includes(target));
  return named.length > 0 ? named : [...all];
}

/**
 * @param {string[]} targets
 * @param {string} platform
 * @param {string} arch
 * @returns {Tool[]}
 */
export function toolsFor(targets, platform, arch) {
  const of = toolsBy(arch)[platform] ?? {};
  const tools = targets.flatMap((target) => of[target] ?? []);
  return tools.filter(
    (one, at) => tools.findIndex(({ archive }) => archive === one.archive) === at,
  );
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} platform
 * @returns {string} where electron-builder keeps what it fetched
 */
export function builderCache(env, platform) {
  const home = env['HOME'] ?? os.homedir();
  const named = env['ELECTRON_BUILDER_CACHE']?.trim();
  if (named !== undefined && path.isAbsolute(named)) return named;
  if (platform === 'darwin') return path.join(home, 'Library', 'Caches', 'electron-builder');
  if (platform === 'win32') {
    const local = env['LOCALAPPDATA']?.trim();
    return local
      ? path.join(local, 'electron-builder', 'Cache')
      : path.join(os.tmpdir(), 'electron-builder-cache');
  }
  const caches = env['XDG_CACHE_HOME'];
  return path.join(
    caches && path.isAbsolute(caches) ? caches : path.join(home, '.cache'),
    'electron-builder',
  );
}

/**
 * @param {{ words: string[], env: NodeJS.ProcessEnv, platform: string, arch: string }} asked
 * @returns {{ cause: string, next: string } | null} what would have to be fetched
 */
export function whyNoTools({ words, env, platform, arch }) {
  const cache = builderCache(env, platform);
  const targets = targetsOf(words, platform);
  const missing = toolsFor(targets, platform, arch).filter(({ archive, override }) => {
    if (override !== undefined && env[override]) return false;
    if (override === 'CUSTOM_FPM_PATH' && env['USE_SYSTEM_FPM'] === 'true') return false;
    return !existsSync(path.join(cache, archive));
  });
  if (missing.length === 0) return null;
  return {
    cause: `${targets.join(' and ')} need tools that are not on this machine`,
    next: [
      `Put these files of the releases of electron-builder-binaries into ${cache}:`,
      ...missing.map(({ archive, override }) => `  ${archive}  (or name yours by ${override})`),
      'The folder of the app alone needs none of them: npm run package -- --dir',
    ].join('\n'),
  };
}
