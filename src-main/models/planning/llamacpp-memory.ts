import { MOST_CACHE_MIB, MOST_CHECKPOINTS } from '../engines/llama-server/limits.ts';
import { CHECKPOINTS } from '../engines/llamacpp/limits.ts';
import type { Machine, ModelFacts, ModelProfile, ServerEngineId } from '../servers/types.ts';
import { cacheTypes, checkpointBytes } from './kv-cache.ts';
import { KIB, MIB, type PlanInput } from './setup.ts';

export type LlamaEngine = Extract<ServerEngineId, 'llamacpp' | 'llama-server'>;

/** Tokens that llama.cpp evaluates at a time; our server and llama-server alike (`n_ubatch`). */
const BATCH_TOKENS = 512;
/** What a sliding layer keeps beside its window: node-llama-cpp adds one token to the batch. */
export const WINDOW_BATCH_TOKENS: Readonly<Record<LlamaEngine, number>> = {
  llamacpp: BATCH_TOKENS + 1,
  'llama-server': BATCH_TOKENS,
};
/** Cells of llama.cpp's cache come in multiples of this. */
export const CELL_UNIT = 256;

/**
 * The process before any model; ours is Node with llama.cpp in it. Measured on Linux x64 (Node 24,
 * node-llama-cpp 3.21; llama-server of the same release) as PSS after the first answer, less all
 * that is counted by itself, over three models and nine windows: 126 to 140 MiB and 16 to 21 MiB.
 * Of ours 33 MiB are program code, which other Node processes share.
 */
const BASE_BYTES: Readonly<Record<LlamaEngine, number>> = {
  llamacpp: 132 * MIB,
  'llama-server': 18 * MIB,
};
/**
 * A token of the vocabulary is kept several times: text, score, and where to find it; Node's reader
 * of the file adds its own. Measured between vocabularies of 2,048, 49,152 and 262,144 tokens.
 */
const VOCABULARY_BYTES: Readonly<Record<LlamaEngine, number>> = {
  llamacpp: 0.95 * KIB,
  'llama-server': 0.24 * KIB,
};
/** Values that a layer works on, in numbers of the hidden size: measured 9 to 10 of 4 bytes. */
const WORK_BYTES_PER_NUMBER = 40;
/** Context of a CUDA process with its kernels. From public reports (300 to 500 MiB), not measured. */
const CUDA_BYTES = 450 * MIB;
/** Types that llama.cpp copies into another order for the processor (measured: Q4_K on AVX2). */
const REPACKED = ['Q4_0', 'Q4_K', 'IQ4_NL'];
/** The same with AMX (measured: Q4_1 and Q8_0, the table of the vocabulary included where it is the output too). */
const REPACKED_AMX = [...REPACKED, 'Q4_1', 'Q8_0', 'Q5_K', 'Q6_K', 'IQ4_XS'];
/** Part of a file in such types, where the types of its tensors are not known. */
const REPACKED_SHARE: readonly [RegExp, number][] = [
  [/^(Q4_0|IQ4_NL)/, 0.9],
  [/^Q4_K/, 0.65],
];
const REPACKED_AMX_SHARE: readonly [RegExp, number][] = [[/^(Q4|Q8_0|Q[56]_K|IQ4)/, 0.95]];
/** Points to go back to that each server keeps. */
const KEPT_POINTS = {
  llamacpp: { count: CHECKPOINTS.max, limitBytes: CHECKPOINTS.maxMemory },
  'llama-server': { count: MOST_CHECKPOINTS, limitBytes: Infinity },
};

/** The process on the host, whatever is on a GPU. */
export function hostOverhead(engine: LlamaEngine, facts: ModelFacts): number {
  return BASE_BYTES[engine] + (facts.vocabularySize ?? 0) * VOCABULARY_BYTES[engine];
}

/**
 * Buffers of the evaluation on a processor. The room for the scores of a whole batch is reserved
 * but never touched, since only the last token of a prompt is scored; so it takes no memory.
 */
export function cpuBuffers({ layers }: ModelFacts): number {
  return workBytes(layers.hiddenSize);
}

/** The same on a GPU, where what is reserved is taken. */
export function gpuBuffers({ layers, vocabularySize }: ModelFacts, contextTokens: number): number {
  const scores = BATCH_TOKENS * (vocabularySize ?? 0) * 4;
  return CUDA_BYTES + scores + workBytes(layers.hiddenSize) + maskBytes(contextTokens);
}

function workBytes(hiddenSize: number): number {
  return BATCH_TOKENS * hiddenSize * WORK_BYTES_PER_NUMBER;
}

/** Which token may see which, as 16-bit numbers; on a processor touched only as a window fills. */
export function maskBytes(contextTokens: number): number {
  return BATCH_TOKENS * contextTokens * 2;
}

/** Weights that are there twice on a processor: as the file has them, and in another order. */
export function repackedBytes(facts: ModelFacts, { amx = false }: Pick<Machine, 'amx'>): number {
  const { weightTypes, quantization, weightBytes } = facts;
  if (weightTypes !== undefined) {
    const types = amx ? REPACKED_AMX : REPACKED;
    return types.reduce((sum, type) => sum + (weightTypes[type] ?? 0), 0);
  }
  const shares = amx ? REPACKED_AMX_SHARE : REPACKED_SHARE;
  const share = shares.find(([pattern]) => pattern.test(quantization))?.[1] ?? 0;
  return Math.round(share * weightBytes);
}

/** The table of the vocabulary, which stays in host memory unless all layers are on the GPU. */
export function embeddingBytes({
  vocabularySize,
  layers,
  weightBytes,
  parameters,
}: ModelFacts): number {
  const perWeight = parameters === null || parameters === 0 ? 1 : weightBytes / parameters;
  return Math.min(0.5 * weightBytes, (vocabularySize ?? 0) * layers.hiddenSize * perWeight);
}

/** Host memory that long conversations take by and by: points to go back to, prompts kept. */
export function growthBytes(
  { facts, profile, machine }: PlanInput,
  engine: LlamaEngine,
  sequences: number,
): number {
  const asked = Number(profile.flags['--ctx-checkpoints'] ?? NaN);
  const { count, limitBytes } = KEPT_POINTS[engine];
  const each = checkpointBytes(facts.layers, cacheTypes(profile));
  const kept = Math.min(limitBytes, (Number.isFinite(asked) ? asked : count) * each);
  const prompts = engine === 'llama-server' ? promptCacheBytes(profile, machine) : 0;
  return Math.round(sequences * kept + prompts);
}

/** The flag if a person gave it, else what our command of llama-server gives. */
function promptCacheBytes({ flags, prefixCaching }: ModelProfile, machine: Machine): number {
  const asked = Number(flags['--cache-ram'] ?? flags['-cram'] ?? NaN);
  if (Number.isFinite(asked)) return (asked < 0 ? MOST_CACHE_MIB : asked) * MIB;
  if (!prefixCaching) return 0;
  return Math.min(MOST_CACHE_MIB * MIB, machine.memory.availableBytes / 8);
}
