import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LayerFacts } from '../servers/library-types.ts';
import { layersOfConfig } from './folder/layers.ts';
import { layersOfGguf } from './gguf/layers.ts';
import type { MetadataValue } from './gguf/read-metadata.ts';
import { inspectModel } from './inspect.ts';
import { CONFIG, temporaryFolder, writeModel } from './testing.ts';

/** As in the published config of Qwen3.5-4B, its language model. */
const QWEN35_4B = {
  model_type: 'qwen3_5_text',
  hidden_size: 2_560,
  num_hidden_layers: 32,
  num_attention_heads: 16,
  num_key_value_heads: 4,
  head_dim: 256,
  full_attention_interval: 4,
  linear_conv_kernel_dim: 4,
  linear_key_head_dim: 128,
  linear_value_head_dim: 128,
  linear_num_key_heads: 16,
  linear_num_value_heads: 32,
  max_position_embeddings: 262_144,
};

const QWEN35_4B_FACTS: LayerFacts = {
  total: 32,
  hiddenSize: 2_560,
  fullAttention: 8,
  sliding: null,
  // 24 x (3 x (2 x 16 x 128 + 32 x 128) + 32 x 128 x 128) x 4 bytes
  recurrent: { layers: 24, bytesPerSequence: 52_690_944 },
  kvHeads: 4,
  keySize: 256,
  valueSize: 256,
};

const QWEN3_14B = {
  model_type: 'qwen3',
  hidden_size: 5_120,
  num_hidden_layers: 40,
  num_attention_heads: 40,
  num_key_value_heads: 8,
  head_dim: 128,
  sliding_window: null,
  use_sliding_window: false,
  max_window_layers: 40,
};

const kvBytesPerToken = ({ fullAttention, kvHeads, keySize, valueSize }: LayerFacts): number =>
  fullAttention * kvHeads * (keySize + valueSize) * 2;

const MIB = 2 ** 20;

describe('layers of the two models', () => {
  it('Qwen3.5-4B: 32 KiB a token, about 50 MiB a sequence', () => {
    const facts = layersOfConfig(QWEN35_4B, 262_144);
    expect(facts).toEqual(QWEN35_4B_FACTS);
    expect(kvBytesPerToken(facts)).toBe(32 * 1024);
    expect((facts.recurrent?.bytesPerSequence ?? 0) / MIB).toBe(50.25);
  });

  it('Qwen3.5-4B with a list of layer types, within a vision model', async () => {
    const types = Array.from({ length: 32 }, (_, layer) =>
      layer % 4 === 3 ? 'full_attention' : 'linear_attention',
    );
    const { full_attention_interval: _, ...rest } = QWEN35_4B;
    const config = {
      architectures: ['Qwen3_5ForConditionalGeneration'],
      model_type: 'qwen3_5',
      text_config: { ...rest, layer_types: types, vocab_size: 248_320 },
      vision_config: { hidden_size: 1_024, num_hidden_layers: 24 },
    };
    const folder = writeModel(join(temporaryFolder(), 'm'), {
      'config.json': JSON.stringify(config),
    });
    const { facts } = await inspectModel(folder);
    expect(facts.architecture).toBe('Qwen3_5ForConditionalGeneration');
    expect(facts.layers).toEqual(QWEN35_4B_FACTS);
    expect(facts.trainedContextTokens).toBe(262_144);
    expect(facts.vocabularySize).toBe(248_320);
  });

  it('Qwen3.5-4B as GGUF says the same', () => {
    const facts = layersOfGguf(
      'm.gguf',
      metadata('qwen35', {
        block_count: 32,
        embedding_length: 2_560,
        context_length: 262_144,
        'attention.head_count': 16,
        'attention.head_count_kv': 4,
        'attention.key_length': 256,
        'attention.value_length': 256,
        full_attention_interval: 4,
        'ssm.conv_kernel': 4,
        'ssm.inner_size': 4_096,
        'ssm.state_size': 128,
        'ssm.group_count': 16,
        'ssm.time_step_rank': 32,
      }),
    );
    expect(facts).toEqual(QWEN35_4B_FACTS);
  });

  it('Qwen3-14B: 160 KiB a token, no state', () => {
    const facts = layersOfConfig(QWEN3_14B, 40_960);
    expect(facts).toMatchObject({ fullAttention: 40, sliding: null, recurrent: null });
    expect(kvBytesPerToken(facts)).toBe(160 * 1024);
  });
});

function metadata(architecture: string, members: Record<string, MetadataValue>) {
  const entries = Object.entries(members).map(([key, value]) => [`${architecture}.${key}`, value]);
  return new Map<string, MetadataValue>([
    ['general.architecture', architecture],
    ...(entries as [string, MetadataValue][]),
  ]);
}

const BASE = {
  hidden_size: 64,
  num_hidden_layers: 12,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  head_dim: 32,
};

type Wanted = [full: number, sliding: number, recurrent: number, none: number];

function counts({ total, fullAttention, sliding, recurrent }: LayerFacts): Wanted {
  const known = fullAttention + (sliding?.layers ?? 0) + (recurrent?.layers ?? 0);
  return [fullAttention, sliding?.layers ?? 0, recurrent?.layers ?? 0, total - known];
}

describe('kinds of layers from config.json', () => {
  it.each<[string, object, Wanted]>([
    ['plain', {}, [12, 0, 0, 0]],
    [
      'Gemma 3, by default one in six',
      { model_type: 'gemma3_text', sliding_window: 512 },
      [2, 10, 0, 0],
    ],
    ['a stated period', { sliding_window: 512, sliding_window_pattern: 3 }, [4, 8, 0, 0]],
    ['letters', { sliding_window: 512, sliding_window_pattern: 'LLLG' }, [3, 9, 0, 0]],
    ['Mistral: all', { model_type: 'mistral', sliding_window: 4_096 }, [0, 12, 0, 0]],
    ['Mistral: none', { model_type: 'mistral', sliding_window: null }, [12, 0, 0, 0]],
    [
      'a window as long as the context',
      { model_type: 'phi3', sliding_window: 8_192 },
      [12, 0, 0, 0],
    ],
    ['Qwen, off by default', { model_type: 'qwen2', sliding_window: 512 }, [12, 0, 0, 0]],
    [
      'Qwen, on',
      { model_type: 'qwen2', sliding_window: 512, use_sliding_window: true, max_window_layers: 8 },
      [8, 4, 0, 0],
    ],
    [
      'listed sliding',
      {
        layer_types: [...Array.from({ length: 11 }, () => 'sliding_attention'), 'full_attention'],
        sliding_window: 512,
      },
      [1, 11, 0, 0],
    ],
    ['shared caches', { num_kv_shared_layers: 4 }, [8, 0, 0, 4]],
    ['Mamba', { model_type: 'mamba2' }, [0, 0, 12, 0]],
    ['Jamba', { attn_layer_period: 4, attn_layer_offset: 2 }, [3, 0, 9, 0]],
    ['Nemotron-H', { hybrid_override_pattern: 'M-M*-M-M*-M-' }, [2, 0, 5, 5]],
    [
      'LFM2',
      {
        layer_types: Array.from({ length: 12 }, (_, i) =>
          i % 3 === 2 ? 'full_attention' : 'conv',
        ),
        conv_L_cache: 3,
      },
      [4, 0, 8, 0],
    ],
  ])('%s', (_title, changes, wanted) => {
    expect(counts(layersOfConfig({ ...BASE, ...changes }, 8_192))).toEqual(wanted);
  });

  it('Gemma 3 leaves out what is the default', async () => {
    const text = { model_type: 'gemma3_text', hidden_size: 2_560, num_hidden_layers: 34 };
    const config = {
      architectures: ['Gemma3ForConditionalGeneration'],
      text_config: { ...text, sliding_window: 1_024 },
    };
    const folder = writeModel(join(temporaryFolder(), 'm'), {
      'config.json': JSON.stringify(config),
    });
    const { facts } = await inspectModel(folder);
    expect(facts.layers).toMatchObject({ kvHeads: 4, keySize: 256, valueSize: 256 });
    expect(counts(facts.layers)).toEqual([5, 29, 0, 0]);
    expect(facts.trainedContextTokens).toBe(131_072);
  });

  it('states of Mamba, of both versions, and of short convolutions', () => {
    const state = (changes: object): number =>
      (layersOfConfig({ ...BASE, model_type: 'mamba', ...changes }, null).recurrent
        ?.bytesPerSequence ?? 0) / 12;
    // (4 - 1) x 128 + 128 x 16, of 4 bytes
    expect(state({ state_size: 16, conv_kernel: 4, expand: 2 })).toBe(9_728);
    // (4 - 1) x (128 + 2 x 1 x 64) + 128 x 64
    const second = {
      model_type: 'mamba2',
      state_size: 64,
      num_heads: 4,
      head_dim: 32,
      n_groups: 1,
    };
    expect(state(second)).toBe(35_840);
    expect(state({ conv_L_cache: 3 })).toBe(512);
  });

  it('latent attention keeps one vector a token', () => {
    const config = { ...BASE, kv_lora_rank: 512, qk_rope_head_dim: 64 };
    expect(layersOfConfig(config, null)).toMatchObject({ kvHeads: 1, keySize: 576, valueSize: 0 });
  });

  it('without sizes of heads, they follow from the width', () => {
    const config = { n_embd: 64, n_layer: 2, n_head: 4 };
    expect(layersOfConfig(config, null)).toMatchObject({ kvHeads: 4, keySize: 16, valueSize: 16 });
  });
});

describe('kinds of layers from a GGUF', () => {
  const base = {
    block_count: 12,
    embedding_length: 64,
    context_length: 8_192,
    'attention.head_count': 4,
    'attention.head_count_kv': 2,
  };
  const ssm = { 'ssm.conv_kernel': 4, 'ssm.inner_size': 128, 'ssm.state_size': 16 };
  it.each<[string, string, Record<string, MetadataValue>, Wanted]>([
    ['plain', 'qwen3', {}, [12, 0, 0, 0]],
    ['Gemma 3', 'gemma3', { 'attention.sliding_window': 512 }, [2, 10, 0, 0]],
    [
      'a period',
      'x',
      { 'attention.sliding_window': 512, 'attention.sliding_window_pattern': 4 },
      [3, 9, 0, 0],
    ],
    [
      'a list',
      'x',
      { 'attention.sliding_window': 512, 'attention.sliding_window_pattern': [true, true, false] },
      [10, 2, 0, 0],
    ],
    ['a window that is ignored', 'phi3', { 'attention.sliding_window': 512 }, [12, 0, 0, 0]],
    [
      'Mamba',
      'mamba',
      { ...ssm, 'attention.head_count': 0, 'attention.head_count_kv': 0 },
      [0, 0, 12, 0],
    ],
    [
      'heads by layer',
      'jamba',
      { ...ssm, 'attention.head_count_kv': [0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2] },
      [3, 0, 9, 0],
    ],
    ['Qwen3-Next', 'qwen3next', ssm, [3, 0, 9, 0]],
    ['prediction layers', 'glm4', { nextn_predict_layers: 1 }, [11, 0, 0, 0]],
  ])('%s', (_title, architecture, changes, wanted) => {
    const facts = layersOfGguf('m.gguf', metadata(architecture, { ...base, ...changes }));
    expect(counts(facts)).toEqual(wanted);
  });

  it('a config with numbers that only Python knows is read', async () => {
    const text = JSON.stringify({ ...CONFIG, note: 'NaN, "x"' }).slice(0, -1);
    const folder = writeModel(join(temporaryFolder(), 'm'), {
      'config.json': `${text}, "a": NaN, "b": [-Infinity, Infinity]}`,
    });
    expect((await inspectModel(folder)).facts.layers.total).toBe(2);
  });

  it('refuses a number of layers that no model has', () => {
    const wrong = metadata('x', { ...base, block_count: 4_000_000_000 });
    expect(() => layersOfGguf('m.gguf', wrong)).toThrow('how many layers');
  });
});

describe('quantization', () => {
  const group = { weights: { num_bits: 4, type: 'int' } };
  it.each<[object, string, boolean]>([
    [{ quant_method: 'fp8', weight_block_size: [128, 128] }, 'fp8', true],
    [{ quant_method: 'awq', bits: 4 }, 'awq 4 bit', false],
    [{ quant_method: 'gptq', bits: 8 }, 'gptq 8 bit', false],
    [{ quant_method: 'bitsandbytes', load_in_4bit: true }, 'bitsandbytes 4 bit', false],
    [{ quant_method: 'bitsandbytes', load_in_8bit: true }, 'bitsandbytes 8 bit', true],
    [
      { quant_method: 'compressed-tensors', config_groups: { group_0: group } },
      'compressed-tensors int 4 bit',
      false,
    ],
    [{ quant_method: 'mxfp4' }, 'mxfp4', false],
    [{ quant_method: 'modelopt', quant_algo: 'FP8' }, 'modelopt fp8', true],
  ])('%j', async (quantization, name, counted) => {
    const folder = temporaryFolder();
    writeModel(folder);
    const config = { ...CONFIG, quantization_config: quantization };
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
    const { facts } = await inspectModel(folder);
    expect([facts.quantization, facts.parameters]).toEqual([name, counted ? 4 : null]);
  });
});
