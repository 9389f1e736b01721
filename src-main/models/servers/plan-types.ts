import type { ServerEngineId } from './profile-types.ts';

/** What the machine has, as measured now. */
export interface Machine {
  memory: { totalBytes: number; availableBytes: number };
  /** Cores this process may use (affinity and cgroup quota, rounded down, at least 1). */
  cores: number;
  gpus: Gpu[];
  /** Why there are no GPUs listed although a driver is there; `null` when nothing is odd. */
  gpuFault: string | null;
}

export interface Gpu {
  index: number;
  uuid: string;
  name: string;
  /** `null` where the driver does not say (`[N/A]`, unified memory). */
  totalBytes: number | null;
  freeBytes: number | null;
  /** `nvidia` is measured by nvidia-smi; others are not supported yet. */
  vendor: 'nvidia';
  driver: string | null;
}

/** What will be started and why. All sizes but `machine` are estimates. */
export interface ServerPlan {
  engine: ServerEngineId;
  device: 'gpu' | 'cpu' | 'split';
  contextTokens: number;
  sequences: number;
  /** Layers on the GPU for `split`; `null` otherwise. */
  gpuLayers: number | null;
  tensorParallel: number;
  gpus: number[];
  estimate: MemoryEstimate;
  /** Memory that was free for it when the plan was made: of the GPUs used, or of the machine. */
  availableBytes: number;
  fits: boolean;
  /** One line: what was chose and why. */
  reason: string;
  /** What would make more fit, most useful first; empty when all that was asked for fits. */
  advice: string[];
}

/** Called an estimate wherever it is shown. */
export interface MemoryEstimate {
  weightsBytes: number;
  /** Per token and sequence. */
  kvBytesPerToken: number;
  /** Fixed per sequence (recurrent layers). */
  stateBytesPerSequence: number;
  kvBytes: number;
  stateBytes: number;
  overheadBytes: number;
  totalBytes: number;
}

/** Estimate beside what was measured after the start; both are kept with the server's record. */
export interface MemoryComparison {
  estimatedBytes: number;
  measuredBytes: number;
  /** measured / estimated. */
  ratio: number;
}
