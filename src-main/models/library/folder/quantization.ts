import { type JsonObject, size, text } from './read-config.ts';

/** Names of safetensors' types as transformers writes them. */
const DTYPES: Readonly<Record<string, string>> = {
  BF16: 'bfloat16',
  F16: 'float16',
  F32: 'float32',
  F64: 'float64',
  F8_E4M3: 'fp8',
  F8_E5M2: 'fp8',
  I8: 'int8',
  U8: 'uint8',
  I32: 'int32',
};

export function dtypeName(dtype: string): string {
  return DTYPES[dtype] ?? dtype.toLowerCase();
}

export interface Quantization {
  /** `fp8`, `awq 4 bit`, `compressed-tensors int 4 bit`, ... */
  name: string;
  /** Several numbers share one element of a tensor, so that shapes do not count parameters. */
  packed: boolean;
}

/** What `quantization_config` states; `null` when there is none. */
export function quantizationOf(config: JsonObject | null): Quantization | null {
  if (config === null) return null;
  const method = text(config, 'quant_method') ?? text(config, 'quant_algo') ?? 'unknown';
  if (method === 'fp8' || method === 'fbgemm_fp8') return { name: 'fp8', packed: false };
  if (method === 'compressed-tensors') return compressedTensors(config);
  if (method === 'bitsandbytes') {
    const bits = config['load_in_4bit'] === true || config['_load_in_4bit'] === true ? 4 : 8;
    return { name: `bitsandbytes ${bits} bit`, packed: bits === 4 };
  }
  const algorithm = text(config, 'quant_algo');
  if (method === 'modelopt' && algorithm !== null) {
    return { name: `modelopt ${algorithm.toLowerCase()}`, packed: /fp4|int4|w4/i.test(algorithm) };
  }
  const bits = size(config, 'bits', 'w_bit');
  if (bits !== null)
    return { name: `${method} ${bits} bit`, packed: bits < 8 || method === 'gptq' };
  return { name: method, packed: /4/.test(method) };
}

function compressedTensors(config: JsonObject): Quantization {
  const groups = config['config_groups'];
  const [group] = isObject(groups) ? Object.values(groups) : [];
  const weights = isObject(group) ? group['weights'] : undefined;
  if (!isObject(weights)) {
    const format = text(config, 'format');
    const name = format === null ? 'compressed-tensors' : `compressed-tensors ${format}`;
    return { name, packed: true };
  }
  const bits = size(weights, 'num_bits') ?? 8;
  const type = text(weights, 'type') ?? 'int';
  return { name: `compressed-tensors ${type} ${bits} bit`, packed: bits < 8 };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
