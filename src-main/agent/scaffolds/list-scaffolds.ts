import type { AttemptLimits } from '../types.ts';
import { BUILT_IN } from './built-in.ts';
import { loadScaffold, readScaffoldFile } from './load-scaffold.ts';
import { scaffoldNames } from './scaffold-names.ts';

/** A scaffold that comes with the app, for people to choose from. */
export interface ListedScaffold {
  /** What it is chosen by. */
  name: string;
  title: string;
  /** One sentence; empty when its file says nothing. */
  about: string;
  limits: AttemptLimits;
}

/**
 * Every scaffold that has a name.
 *
 * @throws VivariumError `scaffold_invalid` for a file that is none.
 */
export async function listScaffolds(resourcesDir: string): Promise<ListedScaffold[]> {
  const names = await scaffoldNames(resourcesDir);
  return Promise.all(
    names.map(async (name) => {
      const { limits } = await loadScaffold(name, resourcesDir);
      const coded = BUILT_IN.get(name);
      if (coded !== undefined) return { name, title: coded.title, about: coded.about, limits };
      const { name: title = name, about = '' } = await readScaffoldFile(name, resourcesDir);
      return { name, title, about: about.trim(), limits };
    }),
  );
}
