import { setTimeout as sleep } from 'node:timers/promises';
import { VivariumError, isAlive, processIdentity } from '../../lib/index.ts';
import type { OwnedServer, ServerStatus, Supervisor } from '../servers/types.ts';
import {
  listServers,
  makeServerFolder,
  readAccess,
  readRecord,
  removeFile,
  serverFiles,
  type ServerFiles,
} from './files.ts';
import { takeLock, type LockAttempt } from './lock.ts';
import { DEFAULT_LIMITS, type SupervisorOptions } from './options.ts';
import { beginServer } from './owned-server.ts';
import { readServerStatus } from './read-status.ts';
import { isLeft, reapServer } from './reap.ts';
import { requestStop } from './stop-request.ts';
import { listUsers, takeLease } from './users.ts';

const STOP_TIMEOUT_MS = 15_000;
const STOP_LOOK_MS = 50;

/**
 * The one supervisor of model servers: starts, watches, restarts and ends them, whatever the engine.
 * Several processes may have one for the same home: each server has one owner, the others see it,
 * use it and may ask its owner to stop it.
 */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { home } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const owned = new Map<string, OwnedServer>();

  const readStatus = (name: string): ServerStatus =>
    owned.get(name)?.status() ?? readServerStatus(home, name);

  return {
    start: async (request) => {
      request.signal?.throwIfAborted();
      const { name } = request.profile;
      const files = serverFiles(home, name);
      // What a dead owner left holds the memory that this one needs.
      await reapServer(home, name, limits);
      request.signal?.throwIfAborted();
      makeServerFolder(files);
      const { lock, holder } = await takeServerLock(files, request.ownerKind);
      if (lock === null) throw runningError(readStatus(name), holder.identity);
      // What an earlier owner was asked does not concern this one.
      removeFile(files.stop);
      const begun = beginServer(request, options, files, lock);
      owned.set(name, begun.owned);
      const forget = (): void => {
        if (owned.get(name) === begun.owned) owned.delete(name);
      };
      void begun.owned.ended.then(forget);
      await begun.ready;
      return begun.owned;
    },
    status: (name) => Promise.resolve(readStatus(name)),
    list: () => Promise.resolve(listServers(home).map(readStatus)),
    join: (name) => Promise.resolve(join(home, readStatus(name))),
    stop: async (name, { force = false, timeoutMs = STOP_TIMEOUT_MS } = {}) => {
      const mine = owned.get(name);
      if (!force) refuseWhileUsed(home, readStatus(name), mine !== undefined);
      if (mine !== undefined) await mine.stop();
      else await stopElsewhere(home, name, limits, timeoutMs);
      return readStatus(name);
    },
    reap: async () => {
      const reaped: string[] = [];
      for (const name of listServers(home)) {
        if (await reapServer(home, name, limits)) reaped.push(name);
      }
      return reaped;
    },
    close: async () => {
      await Promise.all([...owned.values()].map((server) => server.stop()));
    },
  };
}

const RELEASE_MS = 1_000;

/** An owner writes the end of its server before it lets go: that moment is waited for. */
async function takeServerLock(files: ServerFiles, note: string): Promise<LockAttempt> {
  const deadline = performance.now() + RELEASE_MS;
  for (;;) {
    const attempt = takeLock(files.lock, note);
    if (attempt.lock !== null || performance.now() > deadline) return attempt;
    const record = readRecord(files);
    if (record !== null && record.owner !== null) return attempt;
    await sleep(STOP_LOOK_MS);
  }
}

type Joined = Awaited<ReturnType<Supervisor['join']>>;

function join(home: string, status: ServerStatus): Joined {
  if (status.state !== 'ready' && status.state !== 'busy') return null;
  const files = serverFiles(home, status.name);
  const access = readAccess(files);
  if (access === null) return null;
  return { access, status, ...takeLease(files.users) };
}

function refuseWhileUsed(home: string, status: ServerStatus, mine: boolean): void {
  const { name, state, owner } = status;
  if (state !== 'busy' && state !== 'ready') return;
  const self = processIdentity();
  const users = listUsers(serverFiles(home, name).users)
    .filter(({ identity, inFlight }) => inFlight > 0 && identity !== self)
    .map(({ identity }) => pidOf(identity));
  if (users.length === 0 && state === 'busy' && !mine && owner !== null) users.push(pidOf(owner));
  if (users.length === 0) return;
  throw new VivariumError(
    'server_running',
    `The server of ${name} is answering requests of process ${[...new Set(users)].join(', ')}.`,
    'Wait until they are done, or stop it all the same with --force.',
  );
}

async function stopElsewhere(
  home: string,
  name: string,
  limits: Parameters<typeof reapServer>[2],
  timeoutMs: number,
): Promise<void> {
  const files = serverFiles(home, name);
  const deadline = performance.now() + timeoutMs;
  let asked: string | null = null;
  for (;;) {
    const record = readRecord(files);
    if (record === null) return;
    if (isLeft(record)) {
      await reapServer(home, name, limits);
      return;
    }
    if (record.owner === null || !isAlive(record.owner)) return;
    // Another owner than the one we asked: it was started anew in between.
    if (asked !== null && asked !== record.owner) return;
    if (asked === null) requestStop(files);
    asked = record.owner;
    if (performance.now() > deadline) throw stopTimeout(name, record.owner);
    await sleep(STOP_LOOK_MS);
  }
}

function stopTimeout(name: string, owner: string): VivariumError {
  return new VivariumError(
    'engine_failed',
    `The server of ${name} has not stopped in time; process ${pidOf(owner)} owns it.`,
    `End that process (kill -9 ${pidOf(owner)}): the server ends with it.`,
  );
}

function runningError(status: ServerStatus, identity: string): VivariumError {
  const { name, state } = status;
  return new VivariumError(
    'server_running',
    `The server of ${name} is ${state} already; process ${pidOf(identity)} owns it.`,
    `Use it as it is, or stop it first: \`vivarium models stop ${name}\``,
  );
}

function pidOf(identity: string): string {
  return identity.split('.')[0] ?? '';
}
