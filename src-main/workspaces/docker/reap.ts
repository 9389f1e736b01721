import type { Engine } from './engine.ts';
import { createFailure, hasStatus } from './failures.ts';
import {
  homeLabel,
  LABEL_HOME,
  LABEL_OWNER,
  LABEL_SESSION,
  ownerIsAlive,
  removeDeadLeases,
} from './owner.ts';
import { removeContainer } from './remove.ts';

/** What carries our labels for one data folder. */
export interface OwnedThings {
  containers: { id: string; owner: string; session: string; state: string; ownerAlive: boolean }[];
  volumes: { name: string; owner: string; ownerAlive: boolean }[];
}

/**
 * Containers and volumes of this data folder, whoever made them. An entry of the engine's list that
 * the engine itself knows nothing of is none: after a kill, Docker 20.10 removes what was running at
 * its next start twice at a time, and can keep a name that it lists as `dead` until the start after.
 */
export async function listOwned(engine: Engine, home: string): Promise<OwnedThings> {
  const filters = { label: [`${LABEL_HOME}=${homeLabel(home)}`] };
  try {
    const [containers, volumes] = await Promise.all([
      engine.docker.listContainers({ all: true, filters }),
      engine.docker.listVolumes({ filters }),
    ]);
    const alive = (owner: string) => ownerIsAlive(home, owner);
    const isKnown = await Promise.all(containers.map((one) => isContainer(engine, one)));
    return {
      containers: containers
        .filter((_, index) => isKnown[index])
        .map(({ Id: id, Labels: labels, State: state }) => {
          const owner = labels[LABEL_OWNER] ?? '';
          const session = labels[LABEL_SESSION] ?? '';
          return { id, owner, session, state, ownerAlive: alive(owner) };
        }),
      volumes: volumes.Volumes.map(({ Name: name, Labels: labels }) => {
        const owner = labels?.[LABEL_OWNER] ?? '';
        return { name, owner, ownerAlive: alive(owner) };
      }),
    };
  } catch (error) {
    throw createFailure(error, { image: '' });
  }
}

async function isContainer(
  engine: Engine,
  listed: { Id: string; State: string },
): Promise<boolean> {
  if (listed.State !== 'dead' && listed.State !== 'removing') return true;
  return engine.docker
    .getContainer(listed.Id)
    .inspect()
    .then(
      () => true,
      (error: unknown) => !hasStatus(error, 404),
    );
}

/**
 * Removes containers (in any state) and volumes whose owner is dead. Each is looked at again right
 * before: a stale list must never take a live sibling's. Another data folder's are not touched.
 */
export async function reapOrphans(
  engine: Engine,
  home: string,
): Promise<{ containers: number; volumes: number }> {
  const owned = await listOwned(engine, home);
  const reaped = { containers: 0, volumes: 0 };
  for (const { id, ownerAlive } of owned.containers) {
    if (!ownerAlive && (await reapContainer(engine, home, id))) reaped.containers += 1;
  }
  for (const { name, ownerAlive } of owned.volumes) {
    if (!ownerAlive && (await reapVolume(engine, name))) reaped.volumes += 1;
  }
  removeDeadLeases(home);
  return reaped;
}

async function reapContainer(engine: Engine, home: string, id: string): Promise<boolean> {
  try {
    const { Config: config } = await engine.docker.getContainer(id).inspect();
    const isOurs = config.Labels[LABEL_HOME] === homeLabel(home);
    if (!isOurs || ownerIsAlive(home, config.Labels[LABEL_OWNER] ?? '')) return false;
    // A ghost is nobody's any more, and would be counted again each time.
    return (await removeContainer(engine, id)) === 'gone';
  } catch (error) {
    if (hasStatus(error, 404)) return false;
    throw createFailure(error, { image: '' });
  }
}

/** A volume goes with its container; one still in use (409) belongs to something alive. */
async function reapVolume(engine: Engine, name: string): Promise<boolean> {
  try {
    await engine.docker.getVolume(name).remove();
    return true;
  } catch (error) {
    if (hasStatus(error, 404) || hasStatus(error, 409)) return false;
    throw createFailure(error, { image: '' });
  }
}
