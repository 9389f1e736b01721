/** Lists whose work is in the app: for Settings, and as a text file in packages. */
import { mkdir, writeFile } from 'node:fs/promises';
import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { BUILT_LICENCES, licencesOf, type Licence } from '../../src-main/core/licences.ts';

/** Beside {@link BUILT_LICENCES}. */
const TEXT_FILE = 'THIRD_PARTY_LICENSES.txt';

/** Programs that a package brings along, where they are installed here. */
const PROGRAMS = ['node_modules/electron', 'node_modules/node/node_modules/node-*-*'];

/** Folder of the package that a module of a bundle is from; `null` = it is ours. Pure. */
export function packageFolder(moduleId: string): string | null {
  const file = moduleId.replace(/^\0+/, '').replace(/\?.*$/, '').replaceAll('\\', '/');
  return /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? null;
}

/** The text file: a list of all, then the words of each. Pure. */
export function licencesText(all: readonly Licence[]): string {
  const title = ({ name, version, licence }: Licence) => `${name} ${version} (${licence})`;
  const none = 'The package brings no licence file; its package.json states the licence above.';
  return [
    'Vivarium contains the work of others, under these licences.\n',
    ...all.map(title),
    ...all.map((one) => `\n${'='.repeat(78)}\n${title(one)}\n\n${one.text || none}`),
    '',
  ].join('\n');
}

/** As much of Vite's bundle as is looked at. */
type Bundle = Record<string, { moduleIds?: string[] }>;

/** A plugin of Vite, one for all bundles: each adds what is in it, and the list is written anew. */
export function licencesPlugin(root: string) {
  const folders = new Set<string>();
  return {
    name: 'vivarium-licences',
    apply: 'build' as const,
    generateBundle(_options: unknown, bundle: Bundle) {
      for (const { moduleIds = [] } of Object.values(bundle)) {
        for (const id of moduleIds) {
          const folder = packageFolder(id);
          if (folder !== null) folders.add(folder);
        }
      }
    },
    async writeBundle() {
      const programs = globSync(PROGRAMS, { cwd: root })
        .map((name) => path.join(root, name))
        .filter((folder) => existsSync(path.join(folder, 'LICENSE')));
      const all = await licencesOf(root, { folders: [...folders, ...programs] });
      const file = path.join(root, BUILT_LICENCES);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, JSON.stringify(all));
      await writeFile(path.join(path.dirname(file), TEXT_FILE), licencesText(all));
    },
  };
}
