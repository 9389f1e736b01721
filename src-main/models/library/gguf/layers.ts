import type { LayerFacts } from '../../servers/library-types.ts';
import { damaged } from '../invalid.ts';
import { layerFacts, type LayerKind, type LayerSizes, periodic } from '../layer-kinds.ts';
import { type Metadata, numberAt, numberOf, textOf } from './read-metadata.ts';

/** llama.cpp keeps recurrent states as 32-bit floats. */
const STATE_BYTES = 4;
const MAX_LAYERS = 10_000;

/**
 * One full layer after so many sliding ones, where the file does not say. From the calls of
 * `set_swa_pattern` in llama.cpp; 0 = the architecture's code ignores the window.
 */
const SLIDING_PERIODS: Readonly<Record<string, number>> = {
  afmoe: 4,
  cohere2: 4,
  exaone4: 4,
  gemma2: 2,
  gemma3: 6,
  gemma3n: 5,
  gpt_oss: 2,
  'gpt-oss': 2,
  llama4: 4,
  olmo2: 4,
  phi3: 0,
  plamo3: 8,
};

/** @throws VivariumError `model_file_invalid` when the file lacks its own sizes */
export function layersOfGguf(path: string, metadata: Metadata): LayerFacts {
  const architecture = textOf(metadata, 'general.architecture') ?? '';
  const of = (key: string): number | null => numberOf(metadata, `${architecture}.${key}`);
  const at = (key: string, layer: number): number | null =>
    numberAt(metadata, `${architecture}.${key}`, layer);
  const blocks = of('block_count');
  const hiddenSize = of('embedding_length');
  if (!isSize(blocks) || !isSize(hiddenSize) || blocks > MAX_LAYERS) {
    throw damaged(path, 'it does not say how many layers it has, or how wide they are');
  }
  // Layers for speculative decoding come last; they are loaded only when that is used.
  const total = Math.max(1, blocks - (of('nextn_predict_layers') ?? 0));
  const shared = of('attention.shared_kv_layers') ?? 0;
  const isRecurrent = recurrentRule(architecture, of, at);
  const isSliding = slidingRule(architecture, metadata, of);
  const layers = Array.from({ length: total }, (_, layer): LayerSizes => {
    const heads = at('attention.head_count', layer) ?? 0;
    const kvHeads = at('attention.head_count_kv', layer) ?? heads;
    const kind: LayerKind =
      architecture === 'falcon-h1'
        ? 'both'
        : isRecurrent(layer)
          ? 'recurrent'
          : kvHeads === 0 || layer >= total - shared
            ? 'none'
            : isSliding(layer)
              ? 'sliding'
              : 'full';
    return { kind, kvHeads };
  });
  const headSize = hiddenSize / Math.max(1, at('attention.head_count', 0) ?? 1);
  return layerFacts({
    hiddenSize,
    layers,
    windowTokens: of('attention.sliding_window') ?? 0,
    trainedContextTokens: of('context_length'),
    stateBytes: stateBytes(hiddenSize, of, heads(at, total)),
    keySize: of('attention.key_length') ?? headSize,
    valueSize: of('attention.value_length') ?? headSize,
  });
}

type Of = (key: string) => number | null;
type At = (key: string, layer: number) => number | null;

function isSize(value: number | null): value is number {
  return value !== null && Number.isInteger(value) && value > 0;
}

function heads(at: At, total: number): number {
  return Math.max(
    0,
    ...Array.from({ length: total }, (_, i) => at('attention.head_count', i) ?? 0),
  );
}

/** As llama.cpp decides it for each architecture that has such layers. */
function recurrentRule(architecture: string, of: Of, at: At): (layer: number) => boolean {
  const hasState =
    of('ssm.inner_size') !== null ||
    of('wkv.head_size') !== null ||
    of('shortconv.l_cache') !== null ||
    of('kda.head_dim') !== null;
  if (!hasState) return () => false;
  const interval = /^qwen3(?:next|5)/.test(architecture)
    ? (of('full_attention_interval') ?? 4)
    : of('full_attention_interval');
  if (interval !== null) return (layer) => !periodic(layer, interval);
  return (layer) => {
    const kvHeads = at('attention.head_count_kv', layer) ?? at('attention.head_count', layer) ?? 0;
    if (kvHeads > 0) return false;
    return !architecture.startsWith('nemotron_h') || at('feed_forward_length', layer) === 0;
  };
}

function slidingRule(architecture: string, metadata: Metadata, of: Of): (layer: number) => boolean {
  const key = `${architecture}.attention.sliding_window_pattern`;
  if ((of('attention.sliding_window') ?? 0) <= 0) return () => false;
  if (Array.isArray(metadata.get(key))) return (layer) => numberAt(metadata, key, layer) === 1;
  const period = numberOf(metadata, key) ?? SLIDING_PERIODS[architecture];
  // A window without a pattern holds for all layers, except where the code ignores it.
  if (period === undefined) return () => true;
  return (layer) => period > 0 && !periodic(layer, period);
}

/** `llama_hparams::n_embd_r` and `n_embd_s` of llama.cpp: what one layer keeps of a sequence. */
function stateBytes(hiddenSize: number, of: Of, attentionHeads: number): number {
  const wkv = of('wkv.head_size');
  if (wkv !== null) {
    const shifts = of('token_shift_count') ?? 2;
    return (shifts * hiddenSize + hiddenSize * wkv) * STATE_BYTES;
  }
  const shortConvolution = of('shortconv.l_cache');
  if (shortConvolution !== null) {
    return hiddenSize * Math.max(0, shortConvolution - 1) * STATE_BYTES;
  }
  const kernel = Math.max(0, (of('ssm.conv_kernel') ?? 0) - 1);
  const kda = of('kda.head_dim');
  if (kda !== null) {
    const width = attentionHeads * kda;
    return (3 * kernel * width + width * kda) * STATE_BYTES;
  }
  const inner = of('ssm.inner_size') ?? 0;
  const state = of('ssm.state_size') ?? 0;
  const groups = of('ssm.group_count') ?? 0;
  return (kernel * (inner + 2 * groups * state) + state * inner) * STATE_BYTES;
}
