import { join } from 'node:path';
import { z } from 'zod';
import { damaged, invalid } from '../invalid.ts';
import { readSmall } from '../read-at.ts';

const MAX_CONFIG_BYTES = 4 * 2 ** 20;

const object = z.record(z.string(), z.unknown());
export type JsonObject = z.infer<typeof object>;

/** `config.json`, with the part about the language model lifted to the top. */
export interface ModelConfig {
  architecture: string;
  /** Members of the language model first, those of the whole where it has none. */
  text: JsonObject;
  /** Wherever it stands: vision models have it at the top. */
  quantization: JsonObject | null;
}

/**
 * Published configs of Gemma 3 leave out what equals the default of transformers' configuration
 * class; from configuration_gemma3.py.
 */
const IMPLIED: Readonly<Record<string, JsonObject>> = {
  gemma3_text: {
    num_attention_heads: 8,
    num_key_value_heads: 4,
    head_dim: 256,
    max_position_embeddings: 131_072,
    vocab_size: 262_208,
  },
};

/** @throws VivariumError `model_file_invalid` when it is missing, damaged or names no architecture */
export async function readConfig(folder: string): Promise<ModelConfig> {
  const path = join(folder, 'config.json');
  const whole = await readJsonObject(path, MAX_CONFIG_BYTES);
  if (whole === null) {
    throw invalid(
      `${folder} has no config.json.`,
      'Give the folder of the model as it was published, with all its small files.',
    );
  }
  const inner = ['text_config', 'llm_config', 'language_config']
    .map((key) => object.safeParse(whole[key]).data)
    .find((found) => found !== undefined);
  const architecture = z.array(z.string().min(1)).min(1).safeParse(whole['architectures']);
  if (!architecture.success) {
    throw invalid(
      `${path} names no architecture.`,
      'Give the folder of the model as it was published; this may be the config of a part of it.',
    );
  }
  const quantization =
    object.safeParse(whole['quantization_config']).data ??
    object.safeParse(inner?.['quantization_config']).data ??
    null;
  const text = { ...whole, ...inner };
  const implied = IMPLIED[String(text['model_type'])];
  return { architecture: architecture.data[0] ?? '', text: { ...implied, ...text }, quantization };
}

/** `null` when it is not there. @throws VivariumError `model_file_invalid` when it is damaged */
export async function readJsonObject(path: string, limitBytes: number): Promise<JsonObject | null> {
  const text = await readSmall(path, limitBytes);
  if (text === null) return null;
  if (text.trim() === '') throw damaged(path, 'it is empty');
  const value = parseJson(path, text);
  const parsed = object.safeParse(value);
  if (!parsed.success || Array.isArray(value)) throw damaged(path, 'it is not a JSON object');
  return parsed.data;
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (fault) {
    try {
      return JSON.parse(withoutPythonNumbers(text));
    } catch {
      throw damaged(path, 'it is not valid JSON', fault);
    }
  }
}

/** Python's json writes these three, which are no JSON; none of them is of interest here. */
function withoutPythonNumbers(text: string): string {
  return text.replace(/"[^"\\]*(?:\\[\s\S][^"\\]*)*"|NaN|-?Infinity/g, (found) =>
    found.startsWith('"') ? found : 'null',
  );
}

/** The first member that is a positive whole number below a trillion; `null` when none is. */
export function size(from: JsonObject, ...keys: readonly string[]): number | null {
  for (const key of keys) {
    const value = from[key];
    if (typeof value !== 'number' || !Number.isInteger(value)) continue;
    if (value > 0 && value < 1e12) return value;
  }
  return null;
}

export function text(from: JsonObject, key: string): string | null {
  const value = from[key];
  return typeof value === 'string' && value !== '' ? value : null;
}
