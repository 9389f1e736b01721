import { randomBytes } from 'node:crypto';
import { VivariumError, newId } from '../../lib/index.ts';
import { forkChild } from '../child.ts';
import { loadClient } from '../client/load-client.ts';
import { openBoundedLog, type BoundedLog } from '../log/index.ts';
import type { OwnedServer, ServerStatus, StartServer } from '../servers/types.ts';
import { createDemand, type Demand } from './demand.ts';
import { endOfLife, type LifeOutcome, showEnd } from './end-of-life.ts';
import type { ServerFiles } from './files.ts';
import { takeGpus } from './gpu.ts';
import type { ServerContext } from './launch-context.ts';
import type { Lock } from './lock.ts';
import { DEFAULT_LIMITS, type SupervisorOptions } from './options.ts';
import { prepare } from './prepare.ts';
import { createProcessFinder } from './process-finder.ts';
import { live } from './server-life.ts';
import { createStatusBoard, firstStatus } from './status-board.ts';
import { listenForStop } from './stop-request.ts';

const LOG_FILE_BYTES = 10 * 1024 * 1024;
const LOG_FILES = 5;

/** A server of this process, and the moment it is ready. */
export interface Begun {
  owned: OwnedServer;
  /** Rejects with the failure, or with the reason of the request's signal. */
  ready: Promise<void>;
}

/** All of a server but what its engine says. */
type Base = Omit<ServerContext, 'installation'>;

/** Begins to start a server whose lock is held; the lock is released when it has ended for good. */
export function beginServer(
  request: StartServer,
  options: SupervisorOptions,
  files: ServerFiles,
  lock: Lock,
): Begun {
  const stopping = new AbortController();
  const base = createBase(request, options, files, stopping.signal);
  const { board, log, name } = base;
  const demand = createDemand(board, files.users);
  const ready = Promise.withResolvers<void>();
  // Whoever waits sees the failure; nobody may wait yet.
  ready.promise.catch(() => {});

  const stop = (reason: unknown): void => {
    if (['stopping', 'stopped', 'failed'].includes(board.status().state)) return;
    board.update({ state: 'stopping', progress: null });
    stopping.abort(reason);
  };
  const listener = listenForStop(files, base.limits.stopPollMs, () => stop(stoppedError(name)));
  const onAbort = (): void => stop(request.signal?.reason);
  const whole = endOfLife(run(base, demand, ready.resolve), stopping.signal);
  const ended = whole.then((outcome) => {
    listener.close();
    finish(base, log, lock, outcome);
    ready.reject(outcome.error ?? stoppedError(name));
    return board.status();
  });
  followStart(request.signal, ready.promise, onAbort);
  return {
    owned: toOwned(base, demand, ended, () => stop(stoppedError(name))),
    ready: ready.promise,
  };
}

function createBase(
  request: StartServer,
  options: SupervisorOptions,
  files: ServerFiles,
  signal: AbortSignal,
): Base {
  const { name } = request.profile;
  // Letters and digits, so that it can be part of a name anywhere.
  const nonce = newId(26);
  const key = randomBytes(24).toString('base64url');
  const secrets = [key];
  const board = createStatusBoard(files, firstStatus(request, files));
  if (request.onStatus !== undefined) board.subscribe(request.onStatus);
  return {
    name,
    request,
    options,
    files,
    board,
    nonce,
    key,
    secrets,
    signal,
    servedName: `${name}-${nonce}`,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    startChild: options.startChild ?? forkChild,
    finder: createProcessFinder(nonce),
    log: openBoundedLog({
      file: files.log,
      fileBytes: LOG_FILE_BYTES,
      files: LOG_FILES,
      secrets,
    }),
  };
}

async function run(base: Base, demand: Demand, onReady: () => void): Promise<LifeOutcome['end']> {
  const { request, options, board, servedName } = base;
  const installation = await prepare(request, options.env, base.signal);
  const gpus = takeGpus(options.home, request);
  try {
    const { version } = installation;
    board.update({ state: 'loading', progress: 'starting the engine', version, servedName });
    // While the server loads its model: 0.1 s that nobody waits for.
    loadClient().catch(() => undefined);
    return await live({ ...base, installation }, demand, onReady);
  } finally {
    for (const gpu of gpus) gpu.release();
  }
}

function finish(base: Base, log: BoundedLog, lock: Lock, outcome: LifeOutcome): void {
  showEnd(base.board, base.files, base.name, outcome);
  log.close();
  lock.release();
  base.options.onEnded?.(base.board.status());
}

/** The request's signal ends the start, not the server that came of it. */
function followStart(
  signal: AbortSignal | undefined,
  ready: Promise<void>,
  onAbort: () => void,
): void {
  if (signal === undefined) return;
  if (signal.aborted) return onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  const leave = (): void => signal.removeEventListener('abort', onAbort);
  ready.then(leave, leave);
}

function toOwned(
  base: Base,
  demand: Demand,
  ended: Promise<ServerStatus>,
  stop: () => void,
): OwnedServer {
  const { board, finder, key, nonce, servedName } = base;
  return {
    status: board.status,
    access: () => ({ root: board.status().address ?? '', key, nonce, servedName }),
    // Telemetry asks each second: only processes that are new are looked at.
    pids: () => finder.find().map(({ pid }) => pid),
    subscribe: board.subscribe,
    begin: demand.begin,
    keep: () => board.update({ ownerKind: 'keeper' }),
    ended,
    stop: async () => {
      stop();
      await ended;
    },
  };
}

function stoppedError(name: string): VivariumError {
  return new VivariumError(
    'server_not_running',
    `The server of ${name} was stopped.`,
    `Start it again: \`vivarium models start ${name}\``,
  );
}
