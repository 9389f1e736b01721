/** How packages are made; `npm run package` starts it. Nothing is fetched and nothing is published. */
import path from 'node:path';
import process from 'node:process';
import { electronFolder, shippedNode } from './scripts/packaging/needs.mjs';
import { setFuses } from './scripts/packaging/fuses.mjs';

const ROOT = import.meta.dirname;

/** Beside the archive: what the Node that comes along has to read; see docs/packaging.md. */
const UNPACKED = 'app.asar.unpacked';

/** @type {Record<string, string>} names that better-sqlite3 and node-llama-cpp give a platform */
const LLAMA = { linux: 'linux', darwin: 'mac', win32: 'win' };

/** @param {string} platform @returns {string[]} patterns of native files for other platforms */
export function foreignFiles(platform) {
  const others = Object.keys(LLAMA).filter((name) => name !== platform);
  return [
    ...others.map((name) => `!node_modules/@node-llama-cpp/${LLAMA[name]}-*/**`),
    ...others.map((name) => `!node_modules/better-sqlite3/prebuilds/${name}-*`),
    // The C library of other distributions; Electron has none for it either.
    '!node_modules/better-sqlite3/prebuilds/linuxmusl-*',
    '!node_modules/better-sqlite3/{deps,src,build,binding.gyp}',
    '!node_modules/better-sqlite3/{deps,src,build}/**',
  ];
}

/** @param {string} platform */
function only(platform) {
  return { files: foreignFiles(platform) };
}

/** @type {import('electron-builder').Configuration} */
export default {
  appId: 'org.vivarium.app',
  productName: 'Vivarium',
  directories: { output: 'dist' },
  electronDist: electronFolder(ROOT, process.env, process.platform) ?? undefined,
  publish: null,
  npmRebuild: false,
  nodeGypRebuild: false,
  buildDependenciesFromSource: false,
  asar: true,
  asarUnpack: ['node_modules/**'],
  files: [
    ...['out/**', 'resources/**', 'package.json', '!**/*.map'],
    // Not even looked into: models and environments of developers are there.
    ...['!.cache', '!.git', '!.ci', '!dist', '!docs', '!scripts', '!src-*', '!test'],
  ],
  extraResources: [
    { from: 'out/main', to: `${UNPACKED}/out/main` },
    { from: 'resources', to: `${UNPACKED}/resources` },
    { from: 'package.json', to: `${UNPACKED}/package.json` },
    { from: path.relative(ROOT, shippedNode(ROOT, process.platform)), to: 'node/' },
  ],
  async afterPack({ appOutDir, electronPlatformName, packager }) {
    const { productFilename } = packager.appInfo;
    /** @type {Record<string, string>} */
    const programs = {
      darwin: `${productFilename}.app`,
      win32: `${productFilename}.exe`,
      linux: packager.executableName ?? productFilename,
    };
    await setFuses(
      path.join(appOutDir, programs[electronPlatformName] ?? productFilename),
      electronPlatformName,
    );
  },
  linux: {
    ...only('linux'),
    target: ['AppImage', 'deb'],
    category: 'Development',
    maintainer: 'Vivarium',
    executableName: 'vivarium-app',
  },
  win: { ...only('win32'), target: ['nsis', 'zip'], signAndEditExecutable: false },
  mac: { ...only('darwin'), target: ['dmg', 'zip'], identity: null },
};
