import { VivariumError } from '../../lib/index.ts';
import type { ModelLibrary, Supervisor } from '../servers/types.ts';
import { forgetServer, serverFolders } from '../supervisor/index.ts';
import type { CleanedServers } from './types.ts';

/** Ends what dead owners left, and forgets the servers of models that are gone. */
export async function cleanServers(
  home: string,
  supervisor: Pick<Supervisor, 'reap'>,
  library: Pick<ModelLibrary, 'get'>,
): Promise<CleanedServers> {
  const ended = await supervisor.reap();
  const forgotten: string[] = [];
  for (const name of await serverFolders(home)) {
    if (await isModel(library, name)) continue;
    if (forgetServer(home, name)) forgotten.push(name);
  }
  return { ended, forgotten };
}

/** One whose record is damaged is still there. */
async function isModel(library: Pick<ModelLibrary, 'get'>, name: string): Promise<boolean> {
  try {
    await library.get(name);
    return true;
  } catch (error) {
    return !(error instanceof VivariumError) || error.code !== 'model_not_found';
  }
}
