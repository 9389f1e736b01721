import type { BenchResult, Supervisor } from '../servers/types.ts';
import type { BenchOptions, ModelService } from './types.ts';

/** Measures a model through its server, started for it when none runs; see `ModelService.bench`. */
export async function bench(
  { servers, supervisor }: { servers: Pick<ModelService, 'use'>; supervisor: Supervisor },
  name: string,
  options: BenchOptions,
): Promise<BenchResult> {
  const { benchModel } = await import('../bench/index.ts');
  const began = performance.now();
  const served = await servers.use(name, options);
  const loadSeconds = served.started ? (performance.now() - began) / 1000 : null;
  try {
    const measured = await benchModel(served, {
      name,
      ...(options.signal && { signal: options.signal }),
      ...(options.onProgress && { onProgress: options.onProgress }),
    });
    const { memory } = await supervisor.status(name);
    return { ...measured, name, loadSeconds, memory };
  } finally {
    await served.close();
  }
}
