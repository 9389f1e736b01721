import { ensureProfile } from '../profiles/index.ts';
import type {
  ModelLibrary,
  OwnedServer,
  ServedModel,
  ServerStatus,
  Supervisor,
} from '../servers/types.ts';
import { reportKeeperFailure, startKeeper } from '../supervisor/index.ts';
import { attachSampler, type Sampled } from './attach-sampler.ts';
import { joinWhenReady } from './join-when-ready.ts';
import { useJoined } from './joined-use.ts';
import { useOwned } from './owned-use.ts';
import { checkPrepared, prepare, type Prepared } from './prepare.ts';
import { servedModel } from './served.ts';
import type { ModelService, ModelServiceConfig, ServerOptions } from './types.ts';

/** What starting, joining and keeping servers work with. */
export interface ServerDesk {
  config: ModelServiceConfig;
  supervisor: Supervisor;
  library: Pick<ModelLibrary, 'get'>;
}

/** A sample older than this says nothing about now. */
const FRESH_MS = 15_000;

/** The part of the service that has to do with running servers; see {@link ModelService}. */
export function createServers(
  desk: ServerDesk,
): Pick<ModelService, 'use' | 'startInBackground' | 'keep' | 'close'> {
  return {
    use: async (name, options = {}) =>
      (await join(desk, name, options)) ?? (await startForUse(desk, name, options)),
    startInBackground: (name, options = {}) => startInBackground(desk, name, options),
    keep: (name, options = {}) => keep(desk, name, options),
    close: () => desk.supervisor.close(),
  };
}

/** Faults are told before anything runs. */
async function ready(
  { config, library }: ServerDesk,
  name: string,
  options: ServerOptions,
): Promise<Prepared> {
  const prepared = await prepare(config, library, name, options);
  checkPrepared(prepared, options);
  return prepared;
}

async function startOwned(
  { config, supervisor }: ServerDesk,
  { profile, model, plan, machine, engine }: Prepared,
  ownerKind: 'keeper' | 'app',
  { signal, onStatus }: ServerOptions,
): Promise<{ server: OwnedServer; sampled: Sampled }> {
  const server = await supervisor.start({
    ...{ profile, model, plan, machine, engine, ownerKind },
    ...(signal && { signal }),
    ...(onStatus && { onStatus }),
  });
  return { server, sampled: await attachSampler(config, server, engine) };
}

async function join(
  { config, supervisor, library }: ServerDesk,
  name: string,
  options: ServerOptions,
): Promise<ServedModel | null> {
  const model = await library.get(name);
  const joined = await joinWhenReady(supervisor, name, options);
  if (joined === null) return null;
  const profile = await ensureProfile(config.home, model);
  // Its owner looks at it each second; a second look would cost as much again.
  const memory = async (): Promise<number | null> => {
    const sample = config.samples.latest(name);
    return sample !== null && Date.now() - sample.at < FRESH_MS ? sample.memoryBytes : null;
  };
  const use = useJoined(supervisor, joined, memory);
  return servedModel(use, joined.status, { profile, model, started: false });
}

async function startForUse(
  desk: ServerDesk,
  name: string,
  options: ServerOptions,
): Promise<ServedModel> {
  const prepared = await ready(desk, name, options);
  const { server, sampled } = await startOwned(desk, prepared, 'app', options);
  const use = useOwned(server, {
    memoryBytes: async () => sampled.latest()?.memoryBytes ?? null,
    release: async () => {
      await sampled.stop();
      await server.stop();
    },
  });
  return servedModel(use, server.status(), { ...prepared, started: true });
}

async function startInBackground(
  desk: ServerDesk,
  name: string,
  options: ServerOptions,
): Promise<ServerStatus> {
  const { config, supervisor } = desk;
  const running = await supervisor.status(name);
  if (running.state === 'ready' || running.state === 'busy') return running;
  // Faults are told here, with their own words, not found in the log of another process.
  await ready(desk, name, options);
  return startKeeper({
    ...{ home: config.home, env: config.env, name },
    argv: [...config.keeperCommand, name, ...keeperArguments(options)],
    ...(options.signal && { signal: options.signal }),
    ...(options.onStatus && { onStatus: options.onStatus }),
  });
}

async function keep(desk: ServerDesk, name: string, options: ServerOptions): Promise<ServerStatus> {
  const { server, sampled } = await startToKeep(desk, name, options);
  const onAbort = (): void => void server.stop();
  options.signal?.addEventListener('abort', onAbort, { once: true });
  try {
    if (options.signal?.aborted) await server.stop();
    return await server.ended;
  } finally {
    options.signal?.removeEventListener('abort', onAbort);
    await sampled.stop();
  }
}

/** Whoever started this process in the background cannot see what it throws. */
async function startToKeep(
  desk: ServerDesk,
  name: string,
  options: ServerOptions,
): Promise<{ server: OwnedServer; sampled: Sampled }> {
  try {
    const prepared = await ready(desk, name, options);
    return await startOwned(desk, prepared, 'keeper', options);
  } catch (error) {
    reportKeeperFailure(desk.config.env, error);
    throw error;
  }
}

/** The same overrides for the process that does the start; JSON is YAML too. */
function keeperArguments({ overrides = {}, force = false }: ServerOptions): string[] {
  const sets = Object.entries(overrides).flatMap(([name, value]) => [
    '--set',
    `${name}=${JSON.stringify(value)}`,
  ]);
  return [...sets, ...(force ? ['--force'] : [])];
}
