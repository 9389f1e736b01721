import { type Milestone, SHARDS } from '../shared/log-progress.ts';

/** What vLLM prints on its way, from its first line to its last before it serves. */
export const VLLM_MILESTONES: readonly Milestone[] = [
  SHARDS,
  {
    pattern: /Resolved architecture: (\w+)/,
    progress: ([, name = '']) => `reading the model (${name})`,
  },
  { pattern: /vLLM API server version (\S+)/, progress: ([, v = '']) => `starting vLLM ${v}` },
  // The banner of newer versions.
  { pattern: /[█▄▀]\s+version (\d\S*)/, progress: ([, v = '']) => `starting vLLM ${v}` },
  { pattern: /Initializing a V\d LLM engine/, progress: () => 'starting the engine' },
  { pattern: /Starting to load model/, progress: () => 'loading weights' },
  {
    pattern: /Model loading took ([\d.]+ Gi?B).*? and ([\d.]+) seconds/,
    progress: ([, size = '', time = '']) => `weights loaded (${size} in ${time} s)`,
  },
  { pattern: /Loading weights took ([\d.]+) seconds/, progress: () => 'weights loaded' },
  {
    pattern: /Dynamo bytecode transform time|Compiling a graph for|torch\.compile takes/,
    progress: () => 'compiling the model',
  },
  { pattern: /Directly load the compiled graph/, progress: () => 'loading the compiled model' },
  { pattern: /Warming up model for the compilation/, progress: () => 'compiling the model' },
  {
    pattern: /Available KV cache memory: ([\d.]+ \w+)/,
    progress: ([, size = '']) => `reserving memory for conversations (${size})`,
  },
  {
    pattern: /(?:GPU|CPU) KV cache size: ([\d,]+) tokens/,
    progress: ([, tokens = '']) => `room for ${tokens} tokens`,
  },
  {
    pattern: /Capturing CUDA graphs?[^:]*:\s+(\d+)%/,
    progress: ([, share = '']) => `capturing GPU graphs (${share} %)`,
  },
  { pattern: /Graph capturing finished/, progress: () => 'GPU graphs captured' },
  {
    pattern: /init engine .*? took ([\d.]+) s/,
    progress: ([, time = '']) => `engine ready after ${time} s`,
  },
  { pattern: /Starting vLLM (?:API )?server/, progress: () => 'opening the server' },
  { pattern: /Application startup complete/, progress: () => 'answering' },
];

/** The API server has lost its engine: every request fails from now on. */
export const BROKEN =
  /^(?:\([^)]*\) )?(?:WARNING|ERROR) \S+ \S+ \[[^\]]*\] (?:\[shutdown\] MPClient: engine core exited unexpectedly|vllm\.v1\.engine\.exceptions\.EngineDeadError: )/;
