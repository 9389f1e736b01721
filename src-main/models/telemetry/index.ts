export type { DeviceLine } from './gpu-output.ts';
export { watchGpus, type GpuWatch, type WatchGpusOptions } from './gpu-watch.ts';
export { createMemoryReader } from './process-memory.ts';
export { createSampler, type Sampler, type SamplerOptions } from './sampler.ts';
