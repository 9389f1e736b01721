import { z } from 'zod';
import type { LayerFacts } from '../../servers/library-types.ts';
import { invalid } from '../invalid.ts';
import { layerFacts, type LayerKind, periodic } from '../layer-kinds.ts';
import { type JsonObject, size, text } from './read-config.ts';
import { stateBytesOf } from './recurrent-state.ts';

const MAX_LAYERS = 10_000;

/** Names of `layer_types` (`layers_block_type`) in Hugging Face's transformers. */
const KINDS: Readonly<Record<string, LayerKind>> = {
  full_attention: 'full',
  attention: 'full',
  global_attention: 'full',
  sliding_attention: 'sliding',
  local_attention: 'sliding',
  chunked_attention: 'sliding',
  linear_attention: 'recurrent',
  recurrent: 'recurrent',
  mamba: 'recurrent',
  mamba2: 'recurrent',
  conv: 'recurrent',
  hybrid: 'both',
  mlp: 'none',
  moe: 'none',
};

/** One full layer after so many sliding ones where the config does not say: transformers' defaults. */
const SLIDING_PERIODS: readonly [RegExp, number][] = [
  [/^gemma2/, 2],
  [/^gemma3n/, 5],
  [/^gemma[34]/, 6],
  [/^gpt_oss/, 2],
  [/^cohere2/, 4],
  [/^exaone4/, 4],
];

/**
 * From `config.json`.
 *
 * @throws VivariumError `model_file_invalid` when it lacks the sizes of the model
 */
export function layersOfConfig(
  config: JsonObject,
  trainedContextTokens: number | null,
): LayerFacts {
  const total = size(config, 'num_hidden_layers', 'n_layer', 'num_layers', 'n_layers');
  const hiddenSize = size(config, 'hidden_size', 'n_embd', 'd_model', 'dim');
  if (total === null || hiddenSize === null || total > MAX_LAYERS) {
    throw invalid(
      'config.json does not say how many layers the model has, or how wide they are.',
      'Give the folder of the model as it was published.',
    );
  }
  const { kvHeads, keySize, valueSize } = cacheSizes(config, hiddenSize);
  const shared = size(config, 'num_kv_shared_layers') ?? 0;
  const layers = layerKinds(config, total).map((kind, layer) => ({
    kind: layer >= total - shared && (kind === 'full' || kind === 'sliding') ? 'none' : kind,
    kvHeads,
  }));
  return layerFacts({
    hiddenSize,
    layers,
    windowTokens: size(config, 'sliding_window', 'attention_chunk_size') ?? 0,
    trainedContextTokens,
    stateBytes: stateBytesOf(config, hiddenSize),
    keySize,
    valueSize,
  });
}

function layerKinds(config: JsonObject, total: number): LayerKind[] {
  const listed = z
    .array(z.string())
    .safeParse(config['layer_types'] ?? config['layers_block_type']);
  if (listed.success && listed.data.length > 0) {
    const kinds = listed.data.map((name) => KINDS[name] ?? 'full');
    return all(total, (layer) => kinds[layer] ?? 'full');
  }
  return hybridKinds(config, total) ?? slidingKinds(config, total) ?? all(total, () => 'full');
}

function all(total: number, kind: (layer: number) => LayerKind): LayerKind[] {
  return Array.from({ length: total }, (_, layer) => kind(layer));
}

/** Architectures with a state instead of, or beside, attention; `null` for all others. */
function hybridKinds(config: JsonObject, total: number): LayerKind[] | null {
  const type = text(config, 'model_type') ?? '';
  // Gated DeltaNet, as Qwen3-Next and Qwen3.5 have it: transformers' default interval is 4.
  if (size(config, 'linear_num_value_heads') !== null) {
    const interval = size(config, 'full_attention_interval') ?? 4;
    return all(total, (layer) => (periodic(layer, interval) ? 'full' : 'recurrent'));
  }
  const pattern = text(config, 'hybrid_override_pattern');
  if (pattern !== null) {
    const kinds: Record<string, LayerKind> = { M: 'recurrent', '*': 'full' };
    return all(total, (layer) => kinds[pattern.charAt(layer)] ?? 'none');
  }
  const period = size(config, 'attn_layer_period');
  if (period !== null) {
    const offset = size(config, 'attn_layer_offset') ?? 0;
    return all(total, (layer) => (layer % period === offset ? 'full' : 'recurrent'));
  }
  if (type === 'falcon_h1') return all(total, () => 'both');
  const full = z
    .array(z.number())
    .safeParse(config['full_attn_idxs'] ?? config['attn_layer_indices']);
  if (full.success) {
    return all(total, (layer) => (full.data.includes(layer) ? 'full' : 'recurrent'));
  }
  return /^(?:falcon_)?mamba2?$|^rwkv/.test(type) ? all(total, () => 'recurrent') : null;
}

function slidingKinds(config: JsonObject, total: number): LayerKind[] | null {
  if (size(config, 'sliding_window') === null || config['use_sliding_window'] === false)
    return null;
  const type = text(config, 'model_type') ?? '';
  // Qwen's window is off unless switched on, and then holds from a certain layer on.
  if (type.startsWith('qwen')) {
    if (config['use_sliding_window'] !== true) return null;
    const first = size(config, 'max_window_layers') ?? 0;
    return all(total, (layer) => (layer >= first ? 'sliding' : 'full'));
  }
  const letters = text(config, 'sliding_window_pattern');
  if (letters !== null) {
    return all(total, (layer) =>
      letters.charAt(layer % letters.length) === 'L' ? 'sliding' : 'full',
    );
  }
  const period =
    size(config, 'sliding_window_pattern', '_sliding_window_pattern') ??
    SLIDING_PERIODS.find(([pattern]) => pattern.test(type))?.[1];
  if (period === undefined) return all(total, () => 'sliding');
  return all(total, (layer) => (periodic(layer, period) ? 'full' : 'sliding'));
}

interface CacheSizes {
  kvHeads: number;
  keySize: number;
  valueSize: number;
}

function cacheSizes(config: JsonObject, hiddenSize: number): CacheSizes {
  // Latent attention (DeepSeek) keeps one compressed vector and the rotary part of the key.
  const latent = size(config, 'kv_lora_rank');
  if (latent !== null) {
    return { kvHeads: 1, keySize: latent + (size(config, 'qk_rope_head_dim') ?? 0), valueSize: 0 };
  }
  const heads = size(config, 'num_attention_heads', 'n_head', 'n_heads') ?? 1;
  const ofFull = size(config, 'num_global_key_value_heads');
  const kvHeads =
    ofFull ??
    size(config, 'num_key_value_heads', 'num_kv_heads', 'multi_query_group_num') ??
    (config['multi_query'] === true ? 1 : heads);
  const headSize =
    size(config, 'global_head_dim', 'head_dim', 'attention_head_dim') ?? hiddenSize / heads;
  return {
    kvHeads,
    keySize: headSize,
    valueSize: size(config, 'global_head_dim', 'v_head_dim') ?? headSize,
  };
}
