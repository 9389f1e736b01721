/** How packages are made; `npm run package` starts it. Nothing is fetched and nothing is published. */
import { copyFile, rm } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { electronFolder, shippedNode } from './scripts/packaging/needs.mjs';
import { TARGETS, TOOLSETS } from './scripts/packaging/tools.mjs';
import { setFuses } from './scripts/packaging/fuses.mjs';

const ROOT = import.meta.dirname;

/** Beside the archive: what the Node that comes along has to read; see docs/packaging.md. */
const UNPACKED = 'app.asar.unpacked';

/** @type {Record<string, string>} names that node-llama-cpp gives a platform */
const LLAMA = { linux: 'linux', darwin: 'mac', win32: 'win' };

/**
 * @param {string} platform
 * @returns {string[]} patterns that leave out native files for other platforms and processors, and
 *   what native packages are built from; `${arch}` is filled in for each package that is made
 */
export function foreignFiles(platform) {
  return [
    `!node_modules/@node-llama-cpp/!(${LLAMA[platform]}-\${arch}*)/**`,
    // The C library of other distributions is left out too; Electron has none for it either.
    `!node_modules/better-sqlite3/prebuilds/!(${platform}-\${arch}.node)`,
    '!node_modules/better-sqlite3/{deps,src,build}{,/**}',
    '!node_modules/better-sqlite3/binding.gyp',
  ];
}

/** Of packages: what only their authors need. */
const NOT_RUN = [
  '!node_modules/**/{test,tests,__tests__}{,/**}',
  '!node_modules/**/*.{ts,mts,cts}',
  // Grammars of languages that no generator reads.
  '!node_modules/@vscode/tree-sitter-wasm/wasm/!(tree-sitter-python|tree-sitter-typescript|tree-sitter-tsx|tree-sitter-javascript|tree-sitter-go).wasm',
  '!node_modules/web-tree-sitter/debug{,/**}',
];

/** @type {import('electron-builder').Configuration} */
export default {
  appId: 'org.vivarium.app',
  productName: 'Vivarium',
  directories: { output: 'dist' },
  electronDist: electronFolder(ROOT, process.env, process.platform) ?? undefined,
  publish: null,
  toolsets: TOOLSETS,
  npmRebuild: false,
  nodeGypRebuild: false,
  buildDependenciesFromSource: false,
  asar: true,
  // A deb has to name a page; this name leads nowhere by definition.
  extraMetadata: { author: 'Vivarium', homepage: 'https://vivarium.invalid/' },
  asarUnpack: ['node_modules/**'],
  // One list only: a second one, of a platform, that only leaves out would be read as "all but these",
  // and the whole checkout with the models of developers would be packed.
  files: [
    ...['out/**', 'resources/**', 'package.json', '!**/*.map'],
    ...foreignFiles(process.platform),
    ...NOT_RUN,
  ],
  // Files named here are left out of the archive; folders are not.
  extraResources: [
    { from: 'out/main', to: `${UNPACKED}/out/main` },
    // For `vivarium serve`; Electron's own pages come from the archive.
    { from: 'out/renderer', to: `${UNPACKED}/out/renderer` },
    { from: 'resources', to: `${UNPACKED}/resources` },
    { from: 'out/licences.json', to: `${UNPACKED}/out/licences.json` },
    nodeThatComesAlong(),
  ],
  extraFiles: [{ from: 'out/THIRD_PARTY_LICENSES.txt', to: 'THIRD_PARTY_LICENSES.txt' }],
  async afterPack({ appOutDir, electronPlatformName, packager }) {
    const resources = packager.getResourcesDir(appOutDir);
    // The archive has its own: it names what Electron starts, and is guarded where that is possible.
    await copyFile(path.join(ROOT, 'package.json'), path.join(resources, UNPACKED, 'package.json'));
    // What Electron shows when it is given nothing to run.
    await rm(path.join(resources, 'default_app.asar'), { force: true });
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
    target: [...TARGETS.linux],
    category: 'Development',
    maintainer: 'Vivarium',
    executableName: 'vivarium-app',
  },
  win: { target: [...TARGETS.win32], signAndEditExecutable: false },
  mac: { target: [...TARGETS.darwin], identity: null },
};

function nodeThatComesAlong() {
  const file = path.relative(ROOT, shippedNode(ROOT, process.platform));
  // The name is said: without it the file itself would be called `node`, where its folder should be.
  return { from: file, to: `node/${path.basename(file)}` };
}
