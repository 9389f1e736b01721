import type { Gpu, MemoryEstimate } from '../servers/types.ts';
import { cacheTypes, kvBytes, kvBytesPerToken, stateBytesPerSequence } from './kv-cache.ts';
import { batchTokens, cpuOverhead, gpuOverhead, loadedWeightBytes } from './python-memory.ts';
import {
  type Footprint,
  GIB,
  gpuMemory,
  mostFreeFirst,
  type PlanInput,
  type Setup,
  usableMemory,
} from './setup.ts';

/** Tokens of a block of the cache. */
const BLOCK_TOKENS = 16;

/** Where vLLM or SGLang can put the model: on equal GPUs, or on the processor by a build for it. */
export function pythonSetups(input: PlanInput): Setup[] {
  const { profile, machine, version } = input;
  const cpuBuild = version?.includes('cpu') ?? false;
  const onCpu = cpuBuild || profile.device === 'cpu' || (version === null && noGpu(input));
  if (onCpu) return profile.device === 'gpu' ? [] : [cpuSetup(input)];
  return equalGroups(machine.gpus).flatMap((group) => {
    const gpus = mostFreeFirst(group, machine);
    return widths(input, gpus.length).map((width) => gpuSetup(input, gpus.slice(0, width)));
  });
}

function noGpu({ profile, machine }: PlanInput): boolean {
  return profile.device === 'auto' && machine.gpus.length === 0;
}

/** A model is divided evenly, so the least of unlike devices would set the size for all. */
function equalGroups(gpus: readonly Gpu[]): Gpu[][] {
  const groups = Map.groupBy(gpus, ({ name, totalBytes }) => `${name} ${totalBytes ?? ''}`);
  return [...groups.values()];
}

/** Numbers of GPUs the heads can be divided over; one asked for is taken as it is. */
function widths({ profile, facts }: PlanInput, count: number): number[] {
  const { tensorParallel } = profile;
  if (tensorParallel !== 'auto') return tensorParallel <= count ? [tensorParallel] : [];
  const heads = Math.max(1, facts.layers.kvHeads);
  return Array.from({ length: count }, (_, index) => index + 1).filter((n) => heads % n === 0);
}

interface Need {
  weights: number;
  kv: number;
  state: number;
  overhead: number;
}

function toEstimate({ facts, profile }: PlanInput, need: Need, pool: number): MemoryEstimate {
  const overheadBytes = Math.round(need.overhead);
  const kvPool = Math.round(Math.max(need.kv, pool));
  return {
    weightsBytes: need.weights,
    kvBytesPerToken: kvBytesPerToken(facts.layers, cacheTypes(profile)),
    stateBytesPerSequence: stateBytesPerSequence(facts.layers),
    kvBytes: kvPool,
    stateBytes: need.state,
    overheadBytes,
    totalBytes: need.weights + kvPool + need.state + overheadBytes,
  };
}

function conversations(
  { facts, profile }: PlanInput,
  contextTokens: number,
  sequences: number,
  deviceBytes: number,
): Pick<Need, 'kv' | 'state'> {
  const shape = {
    contextTokens,
    sequences,
    batchTokens: batchTokens(profile, deviceBytes),
    unitTokens: BLOCK_TOKENS,
  };
  return {
    kv: kvBytes(facts.layers, cacheTypes(profile), shape),
    state: sequences * stateBytesPerSequence(facts.layers),
  };
}

function gpuSetup(input: PlanInput, gpus: Gpu[]): Setup {
  const { facts, profile, machine } = input;
  const sizes = gpus.map((gpu) => gpuMemory(gpu, machine));
  const deviceBytes = Math.min(...sizes.map(({ totalBytes }) => totalBytes));
  return {
    device: 'gpu',
    gpus,
    tensorParallel: gpus.length,
    footprint: (contextTokens, sequences) => {
      const need: Need = {
        weights: loadedWeightBytes(facts, profile),
        ...conversations(input, contextTokens, sequences, deviceBytes),
        overhead: gpus.length * gpuOverhead(facts, profile, sequences, deviceBytes),
      };
      const budgets = sizes.map((size) => budgetOf(input, size, need.overhead / gpus.length));
      const available = Math.floor(gpus.length * Math.min(...budgets.map(({ bytes }) => bytes)));
      const starts = budgets.every((budget) => budget.starts);
      return pooled(input, need, available, starts);
    },
  };
}

interface Budget {
  bytes: number;
  /** The engine does not start when what it takes at once is not free. */
  starts: boolean;
}

/**
 * What the engine may use of one GPU. vLLM's share is of all it takes, and it refuses to start when
 * less is free; SGLang's share leaves the rest of the device to its buffers.
 */
function budgetOf(
  { engine, profile }: PlanInput,
  { totalBytes, freeBytes }: { totalBytes: number; freeBytes: number },
  overhead: number,
): Budget {
  const wanted = profile.memoryShare * totalBytes;
  if (engine === 'vllm') return { bytes: Math.min(wanted, freeBytes), starts: freeBytes >= wanted };
  const aside = totalBytes - wanted;
  return { bytes: Math.max(0, freeBytes - Math.max(0, aside - overhead)), starts: true };
}

/** All that is left after weights and buffers becomes the pool that conversations share. */
function pooled(input: PlanInput, need: Need, available: number, starts: boolean): Footprint {
  const least = toEstimate(input, need, 0);
  const enough = least.totalBytes <= available;
  const pool = need.kv + available - least.totalBytes;
  return {
    estimate: enough ? toEstimate(input, need, pool) : least,
    neededBytes: least.totalBytes,
    availableBytes: available,
    fits: enough && starts,
    gpuLayers: null,
    growthBytes: 0,
  };
}

/**
 * The build for processors is given the size of its pool, in whole GiB; so it takes what is needed,
 * unless the profile gives the size itself.
 */
function cpuSetup(input: PlanInput): Setup {
  const { facts, profile, machine } = input;
  return {
    device: 'cpu',
    gpus: [],
    tensorParallel: 1,
    footprint: (contextTokens, sequences) => {
      const { kv, state } = conversations(input, contextTokens, sequences, 0);
      const asked = Number(profile.flags['--kv-cache-memory-bytes']);
      const pool = asked > 0 ? asked : Math.max(1, Math.ceil((kv + state) / GIB)) * GIB;
      const need: Need = {
        weights: loadedWeightBytes(facts, profile),
        kv: Math.max(0, pool - state),
        state,
        overhead: cpuOverhead(facts, profile, sequences),
      };
      const estimate = toEstimate(input, need, 0);
      return {
        estimate,
        neededBytes: estimate.totalBytes,
        availableBytes: machine.memory.availableBytes,
        fits: estimate.totalBytes <= usableMemory(machine),
        gpuLayers: null,
        growthBytes: 0,
      };
    },
  };
}
