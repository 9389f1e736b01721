import { setTimeout as sleep } from 'node:timers/promises';
import { VivariumError } from '../../lib/index.ts';
import type { ServerStatus, Supervisor } from '../servers/types.ts';
import { otherUsers } from '../supervisor/index.ts';
import { isUp, untilSettled } from './join-when-ready.ts';
import { keep } from './keep.ts';
import { keepBeyondUse, startForKeeper } from './keeper.ts';
import { prepareStart, type ServerDesk } from './own.ts';
import { checkPrepared, prepare } from './prepare.ts';
import type { ModelService, ServerOptions } from './types.ts';
import { refuseOverrides, use } from './use.ts';

type Servers = Pick<
  ModelService,
  'use' | 'startInBackground' | 'keep' | 'stop' | 'restart' | 'close'
>;

/** Two looks of an owner at its server. */
const QUIET_WITHIN_MS = 3_000;
const LOOK_EVERY_MS = 100;
/** A start that another process was first with becomes a wait for that; see `use`. */
const TRIES = 3;

/** The part of the service that has to do with running servers; see {@link ModelService}. */
export function createServers(desk: ServerDesk): Servers {
  return {
    use: (name, options = {}) => use(desk, name, options),
    startInBackground: (name, options = {}) => startInBackground(desk, name, options),
    keep: (name, options = {}) => keep(desk, name, options),
    stop: (name, options = {}) => stop(desk, name, options),
    restart: (name, options = {}) => restart(desk, name, options),
    close: () => desk.supervisor.close(),
  };
}

async function startInBackground(
  desk: ServerDesk,
  name: string,
  options: ServerOptions,
): Promise<ServerStatus> {
  const { config, supervisor } = desk;
  for (let left = TRIES; ; left -= 1) {
    const running = await untilSettled(supervisor, name, options);
    if (isUp(running)) {
      refuseOverrides(running, options);
      if (running.ownerKind !== 'app') return running;
      const kept = await keepBeyondUse(supervisor, config.home, name);
      if (kept !== null) return kept;
    }
    // Faults are told here, with their own words, not found in the log of another process.
    await prepareStart(desk, name, options);
    try {
      return await startForKeeper(desk, name, options);
    } catch (error) {
      const isRunning = error instanceof VivariumError && error.code === 'server_running';
      if (!isRunning || left <= 1) throw error;
    }
  }
}

async function stop(
  { config, supervisor, library }: ServerDesk,
  name: string,
  { force = false }: { force?: boolean },
): Promise<ServerStatus> {
  const { state, owner } = await supervisor.status(name);
  if (state === 'stopped' || state === 'failed') {
    if (state === 'stopped') await library.get(name);
    throw new VivariumError(
      'server_not_running',
      `the server of ${name} does not run${state === 'failed' ? ': it failed' : ''}`,
      `Start it with \`vivarium models start ${name}\`.`,
    );
  }
  // Between two requests of a session it is as much in use as during one.
  const pids = otherUsers(config.home, name, owner ?? '').map(({ identity }) =>
    Number(identity.split('.')[0]),
  );
  const users = [...new Set(pids)].toSorted((a, b) => a - b);
  if (!force && users.length > 0) {
    throw new VivariumError(
      'server_running',
      `the server of ${name} is in use by process ${users.join(', ')}`,
      'Wait until that is done, or stop it all the same with --force.',
    );
  }
  if (!force) await untilQuiet(supervisor, name);
  return supervisor.stop(name, { force });
}

/** The owner sees a moment later than its user that a request has ended. */
async function untilQuiet(supervisor: Pick<Supervisor, 'status'>, name: string): Promise<void> {
  const deadline = performance.now() + QUIET_WITHIN_MS;
  while (performance.now() < deadline) {
    if ((await supervisor.status(name)).state !== 'busy') return;
    await sleep(LOOK_EVERY_MS);
  }
}

/** What would not start does not cost the server that runs. */
async function restart(
  desk: ServerDesk,
  name: string,
  options: ServerOptions,
): Promise<ServerStatus> {
  const prepared = await prepare(desk.config, desk.library, name, options);
  // Whether it fits is only known once the memory of the old one is free.
  checkPrepared(prepared, { force: true });
  const { state } = await desk.supervisor.status(name);
  if (state !== 'stopped' && state !== 'failed') {
    await stop(desk, name, { force: options.force ?? false });
  }
  return startInBackground(desk, name, options);
}
