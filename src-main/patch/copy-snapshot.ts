import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { cp, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  openSnapshot,
  snapshotPath,
  snapshotsFolder,
  writeSnapshotFile,
} from './snapshot-folder.ts';
import { ownFault } from './snapshot.ts';
import type { Snapshot } from './types.ts';

/**
 * The same snapshot for another session, with a life of its own: `clean` and the end of one take
 * nothing from the other. `undefined` when the session has no snapshot any more.
 * Throws VivariumError `disk_full`, `out_unwritable`; nothing is left behind then.
 */
export async function copySnapshot(
  home: string,
  from: string,
  to: string,
): Promise<Snapshot | undefined> {
  const snapshot = await openSnapshot(home, from);
  if (snapshot === undefined) return undefined;
  const gitDir = snapshotPath(home, to);
  const work = join(snapshotsFolder(home), `.${to}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await cp(snapshot.gitDir, work, {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
      // What computations of the other session leave and remove while this goes on.
      filter: (path) => !basename(path).startsWith('scratch-'),
    });
    const copy = { ...snapshot, gitDir };
    await writeSnapshotFile(work, copy);
    await rename(work, gitDir);
    return copy;
  } catch (fault) {
    throw ownFault(fault);
  } finally {
    await rm(work, { recursive: true, force: true }).catch(() => undefined);
  }
}
