import type { ModelLibrary, OwnedServer, Supervisor } from '../servers/types.ts';
import { attachSampler, type Sampled } from './attach-sampler.ts';
import { checkPrepared, prepare, type Prepared } from './prepare.ts';
import type { ModelServiceConfig, ServerOptions } from './types.ts';

/** What starting, joining and keeping servers work with. */
export interface ServerDesk {
  config: ModelServiceConfig;
  supervisor: Supervisor;
  library: Pick<ModelLibrary, 'get'>;
}

/** A server of this process, and the looks at it. */
export interface Owned {
  prepared: Prepared;
  server: OwnedServer;
  sampled: Sampled;
}

/** Faults are told before anything runs. */
export async function prepareStart(
  { config, library }: ServerDesk,
  name: string,
  options: ServerOptions,
): Promise<Prepared> {
  const prepared = await prepare(config, library, name, options);
  checkPrepared(prepared, options);
  return prepared;
}

/** Starts a server in this process. */
export async function startOwned(
  desk: ServerDesk,
  name: string,
  options: ServerOptions,
  ownerKind: 'keeper' | 'app',
): Promise<Owned> {
  const { signal, onStatus } = options;
  const prepared = await prepareStart(desk, name, options);
  const { profile, model, plan, machine, engine } = prepared;
  const server = await desk.supervisor.start({
    ...{ profile, model, plan, machine, engine, ownerKind },
    ...(signal && { signal }),
    ...(onStatus && { onStatus }),
  });
  try {
    return { prepared, server, sampled: await attachSampler(desk.config, server, engine) };
  } catch (error) {
    // Nobody else knows of it yet.
    await server.stop();
    throw error;
  }
}
