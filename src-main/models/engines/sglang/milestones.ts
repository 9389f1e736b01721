import { type Milestone, SHARDS } from '../shared/log-progress.ts';

/** What SGLang prints on its way, from its first line to its last before it serves. */
export const SGLANG_MILESTONES: readonly Milestone[] = [
  SHARDS,
  { pattern: /server_args=ServerArgs\(/, progress: () => 'starting SGLang' },
  { pattern: /Init torch distributed begin/, progress: () => 'starting the engine' },
  { pattern: /Load weight begin/, progress: () => 'loading weights' },
  {
    pattern: /Load weight end.*?mem usage=([\d.]+ GB)/,
    progress: ([, size = '']) => `weights loaded (${size})`,
  },
  { pattern: /Load weight end/, progress: () => 'weights loaded' },
  {
    pattern: /KV Cache is allocated.*?#tokens: (\d+)/,
    progress: ([, tokens = '']) => `room for ${Number(tokens).toLocaleString('en-US')} tokens`,
  },
  {
    pattern: /Capturing batches[^:]*:\s+(\d+)%/,
    progress: ([, s = '']) => `capturing GPU graphs (${s} %)`,
  },
  { pattern: /Capture cuda graph begin/, progress: () => 'capturing GPU graphs' },
  { pattern: /Capture cuda graph end/, progress: () => 'GPU graphs captured' },
  { pattern: /max_total_num_tokens=(\d+)/, progress: () => 'engine ready' },
  { pattern: /fired up and ready to roll/, progress: () => 'answering' },
];
