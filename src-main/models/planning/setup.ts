import type {
  Gpu,
  Machine,
  MemoryEstimate,
  ModelFacts,
  ModelProfile,
  ServerEngineId,
} from '../servers/types.ts';

/** All that a plan is made from. */
export interface PlanInput {
  profile: ModelProfile;
  facts: ModelFacts;
  machine: Machine;
  engine: ServerEngineId;
  /** Of the engine found; `null` when none was. `+cpu` in it tells vLLM's build for processors. */
  version: string | null;
  /**
   * Kinds of devices the program found has code for, `cpu` and others; as it offers them in
   * `Installation.choices`. Unset: not known, so no device is ruled out.
   */
  backends?: readonly string[];
}

/** What a context and a number of conversations take on one {@link Setup}. */
export interface Footprint {
  estimate: MemoryEstimate;
  /** Without what an engine takes only because it is there (the rest of the KV pool). */
  neededBytes: number;
  availableBytes: number;
  fits: boolean;
  /** Layers on the GPU, for `split`. */
  gpuLayers: number | null;
  /** Host memory that conversations take by and by, beyond the estimate. */
  growthBytes: number;
}

/** One way to place the model on the machine. */
export interface Setup {
  device: 'gpu' | 'cpu' | 'split';
  gpus: Gpu[];
  tensorParallel: number;
  /** Grows with both arguments, so that what does not fit does not fit with more either. */
  footprint(contextTokens: number, sequences: number): Footprint;
}

export const KIB = 1024;
export const MIB = 1024 ** 2;
export const GIB = 1024 ** 3;

/**
 * What is left to the rest of the system when memory is planned: without it the first other
 * program that wakes up makes the machine swap or the kernel kill.
 */
export function usableMemory(machine: Machine): number {
  const { availableBytes } = machine.memory;
  return Math.max(0, availableBytes - Math.max(256 * MIB, 0.05 * availableBytes));
}

/** Sizes of a device; where it shares the memory of the machine, those of the machine. */
export function gpuMemory(gpu: Gpu, machine: Machine): { totalBytes: number; freeBytes: number } {
  const { memory } = machine;
  if (gpu.totalBytes === null) {
    return { totalBytes: memory.totalBytes, freeBytes: memory.availableBytes };
  }
  return { totalBytes: gpu.totalBytes, freeBytes: gpu.freeBytes ?? gpu.totalBytes };
}

export function mostFreeFirst(gpus: readonly Gpu[], machine: Machine): Gpu[] {
  const free = (gpu: Gpu): number => gpuMemory(gpu, machine).freeBytes;
  return gpus.toSorted((a, b) => free(b) - free(a) || a.index - b.index);
}
