import { setTimeout as sleep } from 'node:timers/promises';
import { VivariumError } from '../../lib/index.ts';
import { ensureProfile } from '../profiles/index.ts';
import type { ServedModel, ServerStatus, Supervisor } from '../servers/types.ts';
import { leaseServer, otherUsers } from '../supervisor/index.ts';
import { isUp, joinWhenReady } from './join-when-ready.ts';
import { useJoined, type Joined } from './joined-use.ts';
import { startForKeeper } from './keeper.ts';
import { prepareStart, startOwned, type ServerDesk } from './own.ts';
import { endedError, useOwned } from './owned-use.ts';
import { servedModel } from './served.ts';
import type { ServerOptions } from './types.ts';

/** A sample older than this says nothing about now. */
const FRESH_MS = 15_000;
/** A start that another process was first with becomes a join; more often is no coincidence. */
const TRIES = 3;
/** For a server that nobody uses any more to be gone. */
const GONE_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 100;

/** A server that answers: one that runs, or one that lives as long as somebody uses it. */
export async function use(
  desk: ServerDesk,
  name: string,
  options: ServerOptions,
): Promise<ServedModel> {
  for (let left = TRIES; ; left -= 1) {
    const joined = await join(desk, name, options);
    if (joined !== null) return joined;
    try {
      return await startForUse(desk, name, options);
    } catch (error) {
      const isRunning = error instanceof VivariumError && error.code === 'server_running';
      if (!isRunning || left <= 1) throw error;
    }
  }
}

async function join(
  desk: ServerDesk,
  name: string,
  options: ServerOptions,
): Promise<ServedModel | null> {
  // A name that is no model is told as such, also while a server of that name is left.
  await desk.library.get(name);
  const joined = await joinWhenReady(desk.supervisor, name, options);
  if (joined === null) return null;
  try {
    refuseOverrides(joined.status, options);
    return await serveJoined(desk, joined, false);
  } catch (error) {
    joined.release();
    throw error;
  }
}

/**
 * A server that runs keeps the profile it was started with.
 * @throws VivariumError `server_running` when another was asked for
 */
export function refuseOverrides({ name }: ServerStatus, { overrides }: ServerOptions): void {
  if (overrides === undefined || Object.keys(overrides).length === 0) return;
  const changed = Object.keys(overrides).join(', ');
  throw new VivariumError(
    'server_running',
    `the server of ${name} runs already, as it was started: it cannot take another ${changed}`,
    `Start it anew with \`vivarium models restart ${name}\` and the same options, or leave them out.`,
  );
}

async function serveJoined(
  desk: ServerDesk,
  joined: Joined,
  started: boolean,
): Promise<ServedModel> {
  const { config, supervisor, library } = desk;
  const { status } = joined;
  const model = await library.get(status.name);
  const profile = await ensureProfile(config.home, model);
  // Its owner looks at it each second; a second look would cost as much again.
  const memory = async (): Promise<number | null> => {
    const sample = config.samples.latest(status.name);
    return sample !== null && Date.now() - sample.at < FRESH_MS ? sample.memoryBytes : null;
  };
  const joinedUse = useJoined(supervisor, joined, memory);
  const release = async (): Promise<void> => {
    await joinedUse.release();
    if (started) await untilGone(supervisor, status.name);
  };
  return servedModel({ ...joinedUse, release }, status, { profile, model, started });
}

/**
 * Not in this process: whoever else uses the server by then goes on when this process ends, however it
 * ends.
 */
async function startForUse(
  desk: ServerDesk,
  name: string,
  options: ServerOptions,
): Promise<ServedModel> {
  const { config, supervisor } = desk;
  if (config.keeperCommand.length === 0) return startHere(desk, name, options);
  const { profile } = await prepareStart(desk, name, options);
  const lease = leaseServer(config.home, name);
  try {
    const status = await startForKeeper(desk, name, options, ['--while-used']);
    const joined = await supervisor.join(name);
    if (joined === null) throw endedError(await supervisor.status(name));
    try {
      const served = await serveJoined(desk, { ...joined, status }, true);
      return { ...served, profile };
    } catch (error) {
      joined.release();
      throw error;
    }
  } finally {
    lease.release();
  }
}

/** Where there is no program to keep it in a process of its own. */
async function startHere(
  desk: ServerDesk,
  name: string,
  options: ServerOptions,
): Promise<ServedModel> {
  const { prepared, server, sampled } = await startOwned(desk, name, options, 'app');
  const owned = useOwned(server, {
    memoryBytes: async () => sampled.latest()?.memoryBytes ?? null,
    release: async () => {
      // Those who joined it meanwhile are not cut off.
      while (isUp(server.status()) && otherUsers(desk.config.home, name).length > 0) {
        await sleep(LOOK_EVERY_MS);
      }
      await sampled.stop();
      await server.stop();
    },
  });
  return servedModel(owned, server.status(), { ...prepared, started: true });
}

/** Its memory is free for what comes next, unless somebody else uses it or wants it kept. */
async function untilGone(supervisor: Pick<Supervisor, 'status'>, name: string): Promise<void> {
  const deadline = performance.now() + GONE_WITHIN_MS;
  while (performance.now() < deadline) {
    const { state, ownerKind, users } = await supervisor.status(name);
    const isOver = state === 'stopped' || state === 'failed' || state === 'lost';
    if (isOver || ownerKind === 'keeper') return;
    if (state !== 'stopping' && users > 0) return;
    await sleep(LOOK_EVERY_MS);
  }
}
