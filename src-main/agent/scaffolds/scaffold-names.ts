import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { BUILT_IN } from './built-in.ts';

/** Every name that `loadScaffold` knows: scaffolds that are code, then the files of the folder. */
export async function scaffoldNames(resourcesDir: string): Promise<string[]> {
  const entries = await readdir(resourcesDir).catch(() => []);
  const files = entries
    .filter((entry) => entry.endsWith('.yaml'))
    .map((entry) => path.basename(entry, '.yaml'))
    .filter((name) => !BUILT_IN.has(name));
  return [...BUILT_IN.keys(), ...files.toSorted()];
}
