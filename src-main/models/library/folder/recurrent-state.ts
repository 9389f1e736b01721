import { type JsonObject, size } from './read-config.ts';

/**
 * Engines keep the recurrent part in 32-bit floats (`mamba_ssm_dtype` of Qwen3.5's config). vLLM
 * keeps the few inputs of the convolution in the model's own type, llama.cpp in 32 bits, which is
 * reckoned with here: for Qwen3.5-4B it makes 50.25 MiB instead of 49.1.
 */
const STATE_BYTES = 4;

/**
 * Bytes that one recurrent layer keeps of one sequence. Gated DeltaNet:
 *
 *     convolution (kernel - 1) x (2 x keyHeads x keySize + valueHeads x valueSize)
 *     recurrent   valueHeads x keySize x valueSize
 *
 * as vLLM's `gated_delta_net_state_shape` and llama.cpp's `n_embd_r` and `n_embd_s` have it. Mamba:
 * `(kernel - 1) x (inner + 2 x groups x state)` and `inner x state`, without the groups in its
 * first version; a short convolution keeps `kernel - 1` inputs only.
 */
export function stateBytesOf(config: JsonObject, hiddenSize: number): number {
  const valueHeads = size(config, 'linear_num_value_heads');
  if (valueHeads !== null) return gatedDeltaNet(config, valueHeads);
  const short = size(config, 'conv_L_cache');
  if (short !== null) return (short - 1) * hiddenSize * STATE_BYTES;
  const headSize = size(config, 'head_size');
  const stateSize = size(config, 'mamba_d_state', 'ssm_state_size', 'state_size', 'd_state');
  if (stateSize === null) {
    return headSize === null ? 0 : (hiddenSize * headSize + 2 * hiddenSize) * STATE_BYTES;
  }
  return mamba(config, hiddenSize, stateSize);
}

function gatedDeltaNet(config: JsonObject, valueHeads: number): number {
  const keyHeads = size(config, 'linear_num_key_heads') ?? valueHeads;
  const keySize = size(config, 'linear_key_head_dim') ?? 128;
  const valueSize = size(config, 'linear_value_head_dim') ?? 128;
  const kernel = size(config, 'linear_conv_kernel_dim') ?? 4;
  const convolution = (kernel - 1) * (2 * keyHeads * keySize + valueHeads * valueSize);
  return (convolution + valueHeads * keySize * valueSize) * STATE_BYTES;
}

function mamba(config: JsonObject, hiddenSize: number, stateSize: number): number {
  const kernel = size(config, 'mamba_d_conv', 'conv_kernel', 'd_conv') ?? 4;
  const heads = size(config, 'mamba_n_heads', 'mamba_num_heads', 'num_heads');
  const headSize = size(config, 'mamba_d_head', 'mamba_head_dim', 'head_dim');
  const groups = heads === null ? 0 : (size(config, 'mamba_n_groups', 'n_groups') ?? 1);
  const inner =
    size(config, 'mamba_d_ssm', 'intermediate_size_mamba') ??
    (heads !== null && headSize !== null
      ? heads * headSize
      : (size(config, 'mamba_expand', 'expand') ?? 2) * hiddenSize);
  return ((kernel - 1) * (inner + 2 * groups * stateSize) + inner * stateSize) * STATE_BYTES;
}
