import { existsSync } from 'node:fs';
import path from 'node:path';

/** Where `npm run build` puts the pages; found from the sources, the bundle and a package alike. */
export function rendererFolder(from = import.meta.dirname): string {
  for (let folder = from; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'package.json'))) return path.join(folder, 'out', 'renderer');
    if (path.dirname(folder) === folder) return path.join(from, 'renderer');
  }
}

/** Whether the pages are there. */
export function isRendererBuilt(folder: string): boolean {
  return existsSync(path.join(folder, 'index.html'));
}
