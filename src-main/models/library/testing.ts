import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createModelLibrary, type ModelLibraryOptions } from './create-library.ts';

/** A folder that goes away with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vivarium-library-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function openLibrary(
  home: string,
  options: Partial<ModelLibraryOptions> = {},
): ReturnType<typeof createModelLibrary> {
  const recognise = (): string => 'plain';
  return createModelLibrary({ home, recognise, inUse: async () => false, ...options });
}

export interface TestTensor {
  dtype: string;
  shape: number[];
  bytes: number;
}

const matrix = (bytes = 8): TestTensor => ({ dtype: 'BF16', shape: [bytes / 2], bytes });

/** The header of a safetensors file over tensors that follow each other, with its length in front. */
export function safetensorsHeader(tensors: Record<string, TestTensor>): Buffer {
  let at = 0;
  const entries = Object.entries(tensors).map(([name, { dtype, shape, bytes }]) => {
    const from = at;
    at += bytes;
    return [name, { dtype, shape, data_offsets: [from, at] }] as const;
  });
  return withLength(
    JSON.stringify({ __metadata__: { format: 'pt' }, ...Object.fromEntries(entries) }),
  );
}

/** A text with its length in front, as safetensors starts. */
export function withLength(header: string): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(Buffer.byteLength(header)));
  return Buffer.concat([length, Buffer.from(header)]);
}

export function safetensors(
  tensors: Record<string, TestTensor> = { 'model.norm.weight': matrix() },
): Buffer {
  const bytes = Object.values(tensors).reduce((sum, tensor) => sum + tensor.bytes, 0);
  return Buffer.concat([safetensorsHeader(tensors), Buffer.alloc(bytes, 7)]);
}

export const CONFIG = {
  architectures: ['Qwen3ForCausalLM'],
  model_type: 'qwen3',
  hidden_size: 64,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  head_dim: 32,
  max_position_embeddings: 8_192,
  vocab_size: 2_048,
};

export const HERMES =
  '{% if tools %}<tool_call>{"name": NAME, "arguments": ARGUMENTS}</tool_call>{% endif %}';

/** What a whole model consists of; tests replace or leave out parts. */
export function wholeFolder(): Record<string, string | Buffer> {
  return {
    'config.json': JSON.stringify(CONFIG),
    'tokenizer.json': '{"model": {"vocab": {"a": 0}}}',
    'tokenizer_config.json': JSON.stringify({ chat_template: HERMES }),
    'model.safetensors': safetensors(),
  };
}

/** Writes a folder; members that are `null` are left out of the whole model. */
export function writeModel(
  folder: string,
  changes: Record<string, string | Buffer | null> = {},
): string {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries({ ...wholeFolder(), ...changes })) {
    if (content === null) continue;
    const path = join(folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, content);
  }
  return folder;
}

export const SHARDS: Record<string, string | Buffer | null> = {
  'model.safetensors': null,
  'model-00001-of-00002.safetensors': safetensors({ a: matrix() }),
  'model-00002-of-00002.safetensors': safetensors({ b: matrix(16) }),
  'model.safetensors.index.json': JSON.stringify({
    weight_map: {
      a: 'model-00001-of-00002.safetensors',
      b: 'model-00002-of-00002.safetensors',
    },
  }),
};

type GgufValue = number | string | boolean | number[] | string[] | boolean[];

export interface TestGguf {
  version?: number;
  metadata: Record<string, GgufValue>;
  tensors?: { name: string; sides: number[]; type: number; bytes: number }[];
}

export const GGUF_METADATA: Record<string, GgufValue> = {
  'general.architecture': 'qwen3',
  'general.name': 'Tiny',
  'qwen3.block_count': 2,
  'qwen3.embedding_length': 64,
  'qwen3.context_length': 8_192,
  'qwen3.attention.head_count': 4,
  'qwen3.attention.head_count_kv': 2,
  'qwen3.attention.key_length': 32,
  'qwen3.attention.value_length': 32,
  'tokenizer.ggml.model': 'gpt2',
  'tokenizer.ggml.tokens': ['a', 'b', 'c'],
  'tokenizer.chat_template': HERMES,
};

const ALIGNMENT = 32;

/** A GGUF file. Whole numbers become uint32, others float32. */
export function gguf({
  version = 3,
  metadata,
  tensors = [{ name: 'token_embd.weight', sides: [32, 2], type: 8, bytes: 68 }],
}: TestGguf): Buffer {
  const pairs = Object.entries(metadata).map(([key, value]) =>
    Buffer.concat([text(key), typed(value)]),
  );
  let offset = 0;
  const infos = tensors.map(({ name, sides, type, bytes }) => {
    const info = [text(name), u32(sides.length), ...sides.map(u64), u32(type), u64(offset)];
    offset += aligned(bytes);
    return Buffer.concat(info);
  });
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    u32(version),
    u64(tensors.length),
    u64(pairs.length),
    ...pairs,
    ...infos,
  ]);
  return Buffer.concat([
    head,
    Buffer.alloc(aligned(head.length) - head.length),
    ...tensors.map(({ bytes }) => Buffer.alloc(aligned(bytes), 7)),
  ]);
}

const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

export const text = (value: string): Buffer =>
  Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);

function typed(value: GgufValue): Buffer {
  if (!Array.isArray(value)) return Buffer.concat([u32(typeOf(value)), bare(value)]);
  return Buffer.concat([u32(9), u32(typeOf(value[0] ?? 0)), u64(value.length), ...value.map(bare)]);
}

function typeOf(value: number | string | boolean): number {
  if (typeof value === 'string') return 8;
  if (typeof value === 'boolean') return 7;
  return Number.isInteger(value) ? 4 : 6;
}

function bare(value: number | string | boolean): Buffer {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'boolean') return Buffer.from([Number(value)]);
  if (Number.isInteger(value)) return u32(value);
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}
