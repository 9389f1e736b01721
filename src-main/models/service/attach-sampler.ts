import type { OwnedServer, ServerEngine, ServerSample } from '../servers/types.ts';
import { createSampler, watchGpus, type GpuWatch } from '../telemetry/index.ts';
import type { ModelServiceConfig } from './types.ts';

export interface Sampled {
  /** Newest look; `null` before the first. */
  latest(): ServerSample | null;
  stop(): Promise<void>;
}

/** Looks at a server of this process each second until stopped, and keeps what it saw. */
export async function attachSampler(
  { env, samples }: Pick<ModelServiceConfig, 'env' | 'samples'>,
  server: OwnedServer,
  engine: ServerEngine,
): Promise<Sampled> {
  const { name, plan } = server.status();
  const gpu: GpuWatch | null = plan?.device === 'cpu' ? null : await watchGpus({ env });
  let latest: ServerSample | null = null;
  const sampler = createSampler({
    pids: () => server.pids(),
    figures: async () => {
      const { state } = server.status();
      if (state !== 'ready' && state !== 'busy') return null;
      const { root, key, servedName } = server.access();
      return engine.figures({ root, key, servedName, signal: AbortSignal.timeout(2_000) });
    },
    gpu,
    onSample: (sample) => {
      latest = sample;
      samples.add(name, sample);
    },
  });
  return {
    latest: () => latest,
    stop: async () => {
      sampler.stop();
      await gpu?.stop();
    },
  };
}
