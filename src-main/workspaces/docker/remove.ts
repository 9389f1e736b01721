import { setTimeout as delay } from 'node:timers/promises';
import type { Engine } from './engine.ts';
import { hasStatus } from './failures.ts';

/** A removal takes the engine tenths of a second once no process is left. */
const PATIENCE = { deadlineMs: 20_000, ghostAfterMs: 3_000 };

/** Names of the volumes of a container; none when it is gone. */
export async function volumesOf(engine: Engine, id: string): Promise<string[]> {
  return engine.docker
    .getContainer(id)
    .inspect()
    .then(
      (found) => found.Mounts.flatMap((mount) => (mount.Name === undefined ? [] : [mount.Name])),
      () => [],
    );
}

/**
 * Removes a container and its volumes, and waits until they are gone. `known`: its volumes as seen
 * earlier, in case somebody else removed the container and left them.
 *
 * Returns `ghost` when only an entry in the engine's list is left: an engine that was killed and
 * started again can remove a container twice at a time (seen with Docker 20.10) and then lists it as
 * `removing`, without process, files or volumes, until its next start. Nothing can remove that.
 */
export async function removeContainer(
  engine: Engine,
  id: string,
  known: readonly string[] = [],
  patience = PATIENCE,
): Promise<'gone' | 'ghost'> {
  const container = engine.docker.getContainer(id);
  const volumes = new Set([...known, ...(await volumesOf(engine, id))]);
  const began = performance.now();
  const end = began + patience.deadlineMs;
  let left: 'gone' | 'ghost' = 'gone';
  for (;;) {
    const gone = await tryRemove(() => container.remove({ force: true, v: true }));
    if (gone) break;
    if (performance.now() - began > patience.ghostAfterMs && (await isGhost(engine, id))) {
      left = 'ghost';
      break;
    }
    if (performance.now() > end) throw new Error(`Container ${id} could not be removed.`);
    await delay(25);
  }
  for (const name of volumes) {
    const volume = engine.docker.getVolume(name);
    // In use (409) until the engine's own removal of the container is through.
    while (!(await tryRemove(() => volume.remove()))) {
      if (performance.now() > end) throw new Error(`Volume ${name} could not be removed.`);
      await delay(25);
    }
  }
  return left;
}

/** Being removed, without a process: see {@link removeContainer}. */
async function isGhost(engine: Engine, id: string): Promise<boolean> {
  const found = await engine.docker
    .getContainer(id)
    .inspect()
    .catch(() => null);
  if (found === null) return false;
  const { Status: status, Running: running, Pid: pid } = found.State;
  return status === 'removing' && !running && pid === 0;
}

/**
 * False while the engine is still busy with an earlier removal (its own, after the end), or says
 * 500, as it does for a busy device and while it shuts down.
 */
async function tryRemove(remove: () => Promise<unknown>): Promise<boolean> {
  try {
    await remove();
    return true;
  } catch (error) {
    if (hasStatus(error, 404)) return true;
    if (hasStatus(error, 409) || hasStatus(error, 500)) return false;
    throw error;
  }
}
