import {
  ALL,
  type FailureKind,
  LLAMA,
  numberOf,
  PYTHON,
  retryWithContext,
  SGLANG,
  shownNumber,
  VLLM,
} from './kind.ts';

const SMALLER =
  'Use a smaller context (contextTokens), fewer conversations (sequences), or a more strongly quantized model.';

function fitting(tokens: number | null): string {
  if (tokens === null) return SMALLER;
  const shown = shownNumber(tokens);
  return retryWithContext(tokens) === null
    ? `Only ${shown} tokens would fit, too few to work with: free memory or use a more strongly quantized model.`
    : `Use a context of ${shown} tokens (contextTokens), or a more strongly quantized model.`;
}

/** Not enough memory, found before or while loading. */
export const MEMORY_KINDS: readonly FailureKind[] = [
  {
    kind: 'gpu-memory-taken',
    engines: VLLM,
    pattern:
      /Free memory on device(?: [\w:]+)? \(([\d.]+)\/([\d.]+) GiB\).*?utilization \(([\d.]+), ([\d.]+) GiB\)/,
    cause: ([, free = '', total = '', , wanted = '']) =>
      `Only ${free} of ${total} GiB of the GPU are free, and the profile asks for ${wanted} GiB: another program holds the rest.`,
    remedy: ([, free = '', total = '']) =>
      `End the program that uses the GPU (nvidia-smi lists it), or set memoryShare to ${share(Number(free), Number(total))}.`,
    deterministic: true,
  },
  {
    kind: 'context-too-long',
    engines: VLLM,
    pattern: /estimated maximum model length is ([\d,]+)/,
    cause: () => 'The context does not fit into the memory that the weights leave.',
    remedy: ([, tokens]) => fitting(numberOf(tokens)),
    deterministic: true,
    retryWith: ([, tokens]) => retryWithContext(numberOf(tokens)),
  },
  {
    kind: 'context-too-long',
    engines: VLLM,
    pattern:
      /max seq len \(([\d,]+)\) is larger than the maximum number of tokens that can be stored in KV cache \(([\d,]+)\)/,
    cause: ([, wanted]) =>
      `A context of ${shownNumber(numberOf(wanted) ?? 0)} tokens does not fit into the memory that the weights leave.`,
    remedy: ([, , tokens]) => fitting(numberOf(tokens)),
    deterministic: true,
    retryWith: ([, , tokens]) => retryWithContext(numberOf(tokens)),
  },
  {
    kind: 'no-room-for-cache',
    engines: VLLM,
    pattern:
      /No available memory for the cache blocks|GiB KV cache is needed, which is larger than the available KV cache memory/,
    cause: () => 'The weights fill the memory; nothing is left for the conversation.',
    remedy: () => SMALLER,
    deterministic: true,
  },
  {
    kind: 'too-many-sequences',
    engines: VLLM,
    pattern: /max_num_seqs \(([\d,]+)\) exceeds available Mamba cache blocks \(([\d,]+)\)/,
    cause: ([, wanted = '', there = '']) =>
      `The model keeps a fixed state per conversation; ${wanted} were asked for and memory holds ${there}.`,
    remedy: ([, , there = '']) => `Set sequences to at most ${there}.`,
    deterministic: true,
    retryWith: ([, , there]) => {
      const sequences = numberOf(there);
      return sequences !== null && sequences > 0 ? { sequences } : null;
    },
  },
  {
    kind: 'no-room-for-cache',
    engines: SGLANG,
    pattern:
      /leave no GPU memory for the KV cache under --mem-fraction-static=([\d.]+?)\.?(?: Raise --mem-fraction-static above ([\d.]+?)\.?(?:\s|$)|\s|$)/,
    cause: ([, given = '']) =>
      `With ${given} of the GPU memory the weights leave nothing for the conversation.`,
    remedy: ([, , least]) =>
      least === undefined
        ? 'Raise memoryShare, or use a more strongly quantized model.'
        : `Set memoryShare above ${least}, or use a more strongly quantized model.`,
    deterministic: true,
  },
  {
    kind: 'no-room-for-cache',
    engines: SGLANG,
    pattern: /increase --mem-fraction-static/,
    cause: () => 'The weights leave no memory for the conversation.',
    remedy: () => 'Raise memoryShare, use a smaller context, or a more strongly quantized model.',
    deterministic: true,
  },
  {
    kind: 'gpus-unbalanced',
    engines: SGLANG,
    pattern: /memory capacity is unbalanced/,
    cause: () => 'One of the GPUs has much less free memory than the others.',
    remedy: () =>
      'End the program that uses it (nvidia-smi lists it), or use fewer GPUs (tensorParallel).',
    deterministic: true,
  },
  {
    kind: 'gpu-out-of-memory',
    engines: PYTHON,
    pattern: /torch(?:\.cuda)?\.OutOfMemoryError|CUDA out of memory\. Tried to allocate/,
    cause: () => 'The GPU ran out of memory.',
    remedy: () => `${SMALLER} A lower memoryShare leaves more for what the engine computes with.`,
    deterministic: true,
  },
  {
    kind: 'gpu-out-of-memory',
    engines: LLAMA,
    pattern:
      /cudaMalloc failed: out of memory|CUDA error: out of memory|ErrorOutOfDeviceMemory|(?:failed|unable) to allocate (?:CUDA|Vulkan|ROCm)\S* buffer/i,
    cause: () => 'The GPU ran out of memory.',
    remedy: () => `${SMALLER} Or let it run on the CPU (device: cpu).`,
    deterministic: true,
  },
  {
    kind: 'out-of-memory',
    engines: ALL,
    pattern:
      /std::bad_alloc|DefaultCPUAllocator: (?:can't allocate memory|not enough memory)|(?:^|[\s:])MemoryError\b|[Cc]annot allocate memory|(?:failed|unable) to allocate (?:CPU\S* )?(?:compute )?buffers?|failed to allocate buffer for kv cache|insufficient memory \(attempted/,
    cause: () => 'The machine has not enough free memory for the model.',
    remedy: () => `Close other programs. ${SMALLER}`,
    deterministic: true,
  },
  {
    kind: 'cache-space-too-large',
    engines: VLLM,
    pattern:
      /Available memory on node \S+ \(([\d.]+)\/[\d.]+ GiB\).*?requested memory for kv \(([\d.]+) GiB\)|VLLM_CPU_KVCACHE_SPACE.*(?:too large|exceed|not enough)/,
    cause: ([, free, wanted]) =>
      free === undefined || wanted === undefined
        ? 'The memory asked for conversations is more than the machine has free.'
        : `Conversations were to get ${wanted} GiB of memory; ${free} GiB are free.`,
    remedy: () => `Close other programs. ${SMALLER}`,
    deterministic: true,
  },
  {
    kind: 'shared-memory-too-small',
    engines: PYTHON,
    pattern: /insufficient shared memory|unable to (?:open|mmap|write to).*shared memory|Bus error/,
    cause: () => 'The shared memory (/dev/shm) is too small for the processes of the engine.',
    remedy: () => 'Free /dev/shm, enlarge it, or use one GPU (tensorParallel: 1).',
    deterministic: true,
  },
];

/** A little below what is free, in hundredths: what the check asks for must lie below it. */
function share(freeGiB: number, totalGiB: number): string {
  return Math.max(0, Math.floor((freeGiB / totalGiB) * 100 - 1) / 100).toFixed(2);
}
