import { GPU_MIN_BYTES } from '../engines/llamacpp/limits.ts';
import type { Gpu, MemoryEstimate } from '../servers/types.ts';
import { cacheTypes, kvBytes, kvBytesPerToken, stateBytesPerSequence } from './kv-cache.ts';
import {
  CELL_UNIT,
  cpuBuffers,
  embeddingBytes,
  gpuBuffers,
  growthBytes,
  hostOverhead,
  type LlamaEngine,
  maskBytes,
  repackedBytes,
  WINDOW_BATCH_TOKENS,
} from './llamacpp-memory.ts';
import {
  type Footprint,
  gpuMemory,
  MIB,
  mostFreeFirst,
  type PlanInput,
  type Setup,
  usableMemory,
} from './setup.ts';

/** Left free on a GPU: the driver and a display take some more now and then. */
const GPU_RESERVE_BYTES = 256 * MIB;
/** With fewer layers on the GPU the way to it costs more than it saves. */
const LEAST_GPU_SHARE = 0.25;

interface Parts {
  kv: number;
  state: number;
  host: number;
  growth: number;
}

/** Where llama.cpp can put the model: on the processor, on the GPUs, on both. */
export function llamaSetups(input: PlanInput, engine: LlamaEngine): Setup[] {
  const tiny = input.facts.weightBytes < GPU_MIN_BYTES;
  const { device } = input.profile;
  if (device === 'auto' && tiny) return [cpuSetup(input, engine)];
  const sorted = mostFreeFirst(input.machine.gpus, input.machine);
  // As few GPUs as do it: another one costs memory of its own.
  const groups = sorted.map((_, index) => sorted.slice(0, index + 1));
  const onGpu = device === 'cpu' ? [] : groups.map((gpus) => gpuSetup(input, engine, gpus));
  const split = device === 'auto' ? groups.map((gpus) => splitSetup(input, engine, gpus)) : [];
  return [...onGpu, ...split, ...(device === 'gpu' ? [] : [cpuSetup(input, engine)])];
}

function partsOf(
  input: PlanInput,
  engine: LlamaEngine,
  contextTokens: number,
  sequences: number,
): Parts {
  const { facts, profile } = input;
  const types = cacheTypes(profile);
  const batchTokens = WINDOW_BATCH_TOKENS[engine];
  const shape = { contextTokens, sequences, batchTokens, unitTokens: CELL_UNIT };
  return {
    kv: Math.round(kvBytes(facts.layers, types, shape)),
    state: sequences * stateBytesPerSequence(facts.layers),
    host: hostOverhead(engine, facts),
    growth: growthBytes(input, engine, sequences),
  };
}

function toEstimate(
  { facts, profile }: PlanInput,
  { kv, state }: Parts,
  weightsBytes: number,
  overhead: number,
): MemoryEstimate {
  const overheadBytes = Math.round(overhead);
  return {
    weightsBytes,
    kvBytesPerToken: kvBytesPerToken(facts.layers, cacheTypes(profile)),
    stateBytesPerSequence: stateBytesPerSequence(facts.layers),
    kvBytes: kv,
    stateBytes: state,
    overheadBytes,
    totalBytes: weightsBytes + kv + state + overheadBytes,
  };
}

function cpuSetup(input: PlanInput, engine: LlamaEngine): Setup {
  const { facts, machine } = input;
  const usable = usableMemory(machine);
  const repacked = repackedBytes(facts, machine);
  return {
    device: 'cpu',
    gpus: [],
    tensorParallel: 1,
    footprint: (contextTokens, sequences) => {
      const parts = partsOf(input, engine, contextTokens, sequences);
      const growthBytes = parts.growth + maskBytes(contextTokens);
      const overhead = parts.host + cpuBuffers(facts);
      const roomy = toEstimate(input, parts, facts.weightBytes + repacked, overhead);
      return onHost(roomy, { repacked, usable, growthBytes, available: availableOf(input) });
    },
  };
}

interface HostRoom {
  repacked: number;
  usable: number;
  growthBytes: number;
  available: number;
}

/**
 * The file's own copy of reordered weights is not needed any more: where memory is short the
 * kernel drops as much of it as it has to, so it is no reason to refuse.
 */
function onHost(roomy: MemoryEstimate, room: HostRoom): Footprint {
  const excess = roomy.totalBytes + room.growthBytes - room.usable;
  const dropped = Math.min(room.repacked, Math.ceil(Math.max(0, excess)));
  const totalBytes = roomy.totalBytes - dropped;
  return {
    estimate: { ...roomy, weightsBytes: roomy.weightsBytes - dropped, totalBytes },
    neededBytes: totalBytes,
    availableBytes: room.available,
    fits: totalBytes + room.growthBytes <= room.usable,
    gpuLayers: null,
    growthBytes: room.growthBytes,
  };
}

function availableOf({ machine }: PlanInput): number {
  return machine.memory.availableBytes;
}

function gpuSetup(input: PlanInput, engine: LlamaEngine, gpus: Gpu[]): Setup {
  const { facts, machine } = input;
  const rooms = gpus.map((gpu) => gpuMemory(gpu, machine).freeBytes);
  const available = rooms.reduce((sum, free) => sum + free, 0);
  return {
    device: 'gpu',
    gpus,
    tensorParallel: 1,
    footprint: (contextTokens, sequences) => {
      const parts = partsOf(input, engine, contextTokens, sequences);
      const perGpu = gpuBuffers(facts, contextTokens);
      const estimate = toEstimate(input, parts, facts.weightBytes, gpus.length * perGpu);
      const layerBytes = (facts.weightBytes + parts.kv + parts.state) / facts.layers.total;
      const layers = rooms.map((free) => layersIn(free, perGpu, layerBytes));
      const fitsGpus = layers.reduce((sum, count) => sum + count, 0) >= facts.layers.total;
      return {
        estimate,
        neededBytes: estimate.totalBytes,
        availableBytes: available,
        fits: fitsGpus && parts.host + parts.growth <= usableMemory(machine),
        gpuLayers: null,
        growthBytes: parts.growth,
      };
    },
  };
}

/** Whole layers, since llama.cpp puts a layer on one device. */
function layersIn(free: number, overhead: number, layerBytes: number): number {
  return Math.max(0, Math.floor((free - GPU_RESERVE_BYTES - overhead) / layerBytes));
}

function splitSetup(input: PlanInput, engine: LlamaEngine, gpus: Gpu[]): Setup {
  const { facts, machine } = input;
  const { total } = facts.layers;
  const rooms = gpus.map((gpu) => gpuMemory(gpu, machine).freeBytes);
  const available = rooms.reduce((sum, free) => sum + free, availableOf(input));
  const usable = usableMemory(machine);
  // The table of the vocabulary and the output stay on the host.
  const weightsPerLayer = (facts.weightBytes - embeddingBytes(facts)) / total;
  return {
    device: 'split',
    gpus,
    tensorParallel: 1,
    footprint: (contextTokens, sequences) => {
      const parts = partsOf(input, engine, contextTokens, sequences);
      const perGpu = gpuBuffers(facts, contextTokens);
      const layerBytes = weightsPerLayer + (parts.kv + parts.state) / total;
      const room = rooms.reduce((sum, free) => sum + layersIn(free, perGpu, layerBytes), 0);
      const gpuLayers = Math.min(total - 1, room);
      const repacked = Math.round(repackedBytes(facts, machine) * (1 - gpuLayers / total));
      const overhead = gpus.length * perGpu + parts.host + cpuBuffers(facts);
      const roomy = toEstimate(input, parts, facts.weightBytes + repacked, overhead);
      const onGpus = Math.round(gpuLayers * layerBytes + gpus.length * perGpu);
      const growthBytes = parts.growth + maskBytes(contextTokens);
      const host = onHost(roomy, { repacked, usable: usable + onGpus, growthBytes, available });
      return {
        ...host,
        gpuLayers,
        fits: host.fits && gpuLayers >= LEAST_GPU_SHARE * total,
      };
    },
  };
}
