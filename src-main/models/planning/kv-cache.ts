import type { LayerFacts, ModelProfile } from '../servers/types.ts';

/** Bytes of one number in the cache, for keys and for values. */
export interface CacheTypes {
  keyBytes: number;
  valueBytes: number;
}

/** Blocks of llama.cpp's quantised cache types: bytes of 32 numbers (ggml-common.h). */
const BLOCK_BYTES: Readonly<Record<string, number>> = {
  f32: 128,
  f16: 64,
  bf16: 64,
  q8_0: 34,
  q5_1: 24,
  q5_0: 22,
  q4_1: 20,
  q4_0: 18,
  iq4_nl: 18,
};

/** 16 bits, unless a flag of the profile says otherwise. */
export function cacheTypes({ flags }: ModelProfile): CacheTypes {
  const whole = flags['--kv-cache-dtype'];
  if (typeof whole === 'string' && whole.startsWith('fp8')) return { keyBytes: 1, valueBytes: 1 };
  const of = (...names: string[]): number => {
    const value = names.map((name) => flags[name]).find((flag) => typeof flag === 'string');
    return (BLOCK_BYTES[String(value)] ?? 64) / 32;
  };
  return { keyBytes: of('-ctk', '--cache-type-k'), valueBytes: of('-ctv', '--cache-type-v') };
}

/** Of one layer and one token. */
function layerBytes({ kvHeads, keySize, valueSize }: LayerFacts, types: CacheTypes): number {
  return kvHeads * (keySize * types.keyBytes + valueSize * types.valueBytes);
}

/** What each further token takes: only the layers that see all of the conversation grow. */
export function kvBytesPerToken(layers: LayerFacts, types: CacheTypes): number {
  return layers.fullAttention * layerBytes(layers, types);
}

export interface CacheShape {
  contextTokens: number;
  sequences: number;
  /** Tokens evaluated at a time: a sliding layer keeps its window and those. */
  batchTokens: number;
  /** Cells come in multiples of this. */
  unitTokens: number;
}

/** All conversations together. Recurrent layers are not in it, see {@link stateBytes}. */
export function kvBytes(layers: LayerFacts, types: CacheTypes, shape: CacheShape): number {
  const { contextTokens, sequences, batchTokens, unitTokens } = shape;
  const pad = (tokens: number): number => Math.ceil(tokens / unitTokens) * unitTokens;
  const full = kvBytesPerToken(layers, types) * pad(contextTokens);
  return (
    sequences *
    (full +
      windowBytes(
        layers,
        types,
        Math.min(pad(contextTokens), pad((layers.sliding?.windowTokens ?? 0) + batchTokens)),
      ))
  );
}

function windowBytes(layers: LayerFacts, types: CacheTypes, tokens: number): number {
  return (layers.sliding?.layers ?? 0) * layerBytes(layers, types) * tokens;
}

/** Of one conversation; fixed, however long it is. */
export function stateBytesPerSequence({ recurrent }: LayerFacts): number {
  return recurrent?.bytesPerSequence ?? 0;
}

/**
 * What llama.cpp copies to go back to a place in the conversation: the parts that cannot be cut,
 * which are states and windows. 0 for a model of full attention, which needs no copies.
 */
export function checkpointBytes(layers: LayerFacts, types: CacheTypes): number {
  return (
    stateBytesPerSequence(layers) + windowBytes(layers, types, layers.sliding?.windowTokens ?? 0)
  );
}
