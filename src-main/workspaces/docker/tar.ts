import { TAR_END, tarEntry, VivariumError } from '../../lib/index.ts';
import type { SeedEntry } from '../types.ts';

const BATCH_BYTES = 1 << 20;
const NOTHING = new Uint8Array();

/** The user that the agent's commands run as, and the owner of everything in the repository. */
export const AGENT_UID = 1000;

/**
 * An uncompressed tar of the seed, in pieces of about a megabyte. Missing parents are added, since
 * the engine would make them owned by root.
 * @throws VivariumError `workspace_failed` for a path that does not stay below the root.
 */
export async function* seedTar(
  seed: AsyncIterable<SeedEntry>,
  uid: number,
  onPath: (path: string, mode: SeedEntry['mode']) => void,
): AsyncGenerator<Buffer> {
  const folders = new Set<string>();
  const stamp = { owner: uid, seconds: Math.floor(Date.now() / 1000) };
  let batch: Buffer[] = [];
  let size = 0;
  for await (const entry of seed) {
    checkSeedPath(entry.path);
    for (const one of withParents(entry, folders)) {
      for (const block of tarEntry(one, stamp)) {
        batch.push(block);
        size += block.length;
      }
    }
    onPath(entry.path, entry.mode);
    if (size < BATCH_BYTES) continue;
    yield Buffer.concat(batch);
    batch = [];
    size = 0;
  }
  yield Buffer.concat([...batch, TAR_END]);
}

function checkSeedPath(path: string): void {
  const parts = path.split('/');
  const bad = parts.some((part) => part === '' || part === '.' || part === '..');
  if (!bad && !path.includes('\0')) return;
  throw new VivariumError(
    'workspace_failed',
    `The snapshot names a path that cannot be placed in a workspace: ${JSON.stringify(path)}.`,
    'Rename that file in the repository.',
  );
}

/** The entry after the folders above it that did not come yet; a folder comes once. */
function withParents(entry: SeedEntry, folders: Set<string>): SeedEntry[] {
  const missing: SeedEntry[] = [];
  const addFolder = (path: string): void => {
    if (folders.has(path)) return;
    folders.add(path);
    missing.push({ path, mode: '40000', content: NOTHING });
  };
  for (let at = entry.path.indexOf('/'); at >= 0; at = entry.path.indexOf('/', at + 1)) {
    addFolder(entry.path.slice(0, at));
  }
  if (entry.mode === '40000') addFolder(entry.path);
  else missing.push(entry);
  return missing;
}
