import { setTimeout as sleep } from 'node:timers/promises';
import type {
  ModelLibrary,
  OwnedServer,
  ServedModel,
  ServerStatus,
  Supervisor,
} from '../servers/types.ts';
import { attachSampler, type Sampled } from './attach-sampler.ts';
import { useJoined } from './joined-use.ts';
import { useOwned } from './owned-use.ts';
import { checkPrepared, prepare, type Prepared } from './prepare.ts';
import { servedModel } from './served.ts';
import type { ModelService, ModelServiceConfig, ServerOptions } from './types.ts';

type Servers = Pick<ModelService, 'use' | 'startInBackground' | 'keep' | 'close'>;

/** How often the start of another process is looked at. */
const LOOK_EVERY_MS = 250;
/** A sample older than this says nothing about now. */
const FRESH_MS = 15_000;

/** Starting, joining and keeping servers. */
export function createServers(
  config: ModelServiceConfig,
  supervisor: Supervisor,
  library: Pick<ModelLibrary, 'get'>,
): Servers {
  const ready = async (name: string, options: ServerOptions): Promise<Prepared> => {
    const prepared = await prepare(config, library, name, options);
    checkPrepared(prepared, options);
    return prepared;
  };

  const startOwned = async (
    { profile, model, plan, machine, engine }: Prepared,
    ownerKind: 'keeper' | 'app',
    { signal, onStatus }: ServerOptions,
  ): Promise<{ server: OwnedServer; sampled: Sampled }> => {
    const server = await supervisor.start({
      ...{ profile, model, plan, machine, engine, ownerKind },
      ...(signal && { signal }),
      ...(onStatus && { onStatus }),
    });
    const sampled = await attachSampler(config, server, engine);
    return { server, sampled };
  };

  const join = async (name: string, options: ServerOptions): Promise<ServedModel | null> => {
    const joined = await untilJoined(supervisor, name, options);
    if (joined === null) return null;
    const model = await library.get(name);
    const { profile } = await prepare(config, library, name, options);
    const memory = async (): Promise<number | null> => {
      const sample = config.samples.latest(name);
      return sample !== null && Date.now() - sample.at < FRESH_MS ? sample.memoryBytes : null;
    };
    const use = useJoined(supervisor, joined, memory);
    return servedModel(use, joined.status, { profile, model, started: false });
  };

  return {
    use: async (name, options = {}) => {
      const joined = await join(name, options);
      if (joined !== null) return joined;
      const prepared = await ready(name, options);
      const { server, sampled } = await startOwned(prepared, 'app', options);
      const use = useOwned(server, {
        memoryBytes: async () => sampled.latest()?.memoryBytes ?? null,
        release: async () => {
          await sampled.stop();
          await server.stop();
        },
      });
      return servedModel(use, server.status(), { ...prepared, started: true });
    },
    startInBackground: async (name, options = {}) => {
      const running = await supervisor.status(name);
      if (running.state === 'ready' || running.state === 'busy') return running;
      // Faults are told here, with their own words, not found in the log of another process.
      await ready(name, options);
      const { startKeeper } = await import('../supervisor/index.ts');
      return startKeeper({
        ...{ home: config.home, env: config.env, name },
        argv: [...config.keeperCommand, name, ...keeperArguments(options)],
        ...(options.signal && { signal: options.signal }),
        ...(options.onStatus && { onStatus: options.onStatus }),
      });
    },
    keep: async (name, options = {}) => {
      const prepared = await ready(name, options);
      const { server, sampled } = await startOwned(prepared, 'keeper', options);
      const onAbort = (): void => void server.stop();
      options.signal?.addEventListener('abort', onAbort, { once: true });
      try {
        if (options.signal?.aborted) await server.stop();
        return await server.ended;
      } finally {
        options.signal?.removeEventListener('abort', onAbort);
        await sampled.stop();
      }
    },
    close: () => supervisor.close(),
  };
}

/** The server of another process, waiting for it while it loads. `null` = start one. */
async function untilJoined(
  supervisor: Supervisor,
  name: string,
  { signal, onStatus }: ServerOptions,
): Promise<NonNullable<Awaited<ReturnType<Supervisor['join']>>> | null> {
  for (;;) {
    signal?.throwIfAborted();
    const joined = await supervisor.join(name);
    if (joined !== null) return joined;
    const status: ServerStatus = await supervisor.status(name);
    if (status.state !== 'planning' && status.state !== 'loading') return null;
    onStatus?.(status);
    await sleep(LOOK_EVERY_MS, undefined, signal === undefined ? {} : { signal });
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
