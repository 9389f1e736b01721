import type { LogReading } from '../../servers/types.ts';
import { type Milestone, readMilestone } from '../shared/log-progress.ts';

/** What llama-server prints on its way, in the forms of its versions. */
const MILESTONES: readonly Milestone[] = [
  { pattern: /llama_model_loader: loaded meta data/, progress: () => 'reading the model' },
  { pattern: /loading model tensors/, progress: () => 'loading weights' },
  {
    pattern: /offloaded (\d+)\/(\d+) layers to GPU/,
    progress: ([, done = '', all = '']) => `weights loaded (${done} of ${all} layers on the GPU)`,
  },
  { pattern: /llama_context: n_ctx\s+=/, progress: () => 'reserving memory for conversations' },
  { pattern: /warming up the model/, progress: () => 'warming up' },
  { pattern: /model loaded\s*$/, progress: () => 'model loaded' },
  { pattern: /loading model\b/, progress: () => 'loading the model' },
];

/** Printed once it has its port: `listening on http://127.0.0.1:43211`, before and after 2026. */
const LISTENING =
  /(?:server is )?listening on https?:\/\/[^\s:]+:(\d+)|HTTP server (?:is )?listening[,|\s].*?port[:=]\s*"?(\d+)/;

/** Reads one line; the port is the one that the system chose. */
export function readLlamaServerLine(line: string): LogReading {
  const match = LISTENING.exec(line.slice(0, 2_000));
  if (match) return { port: Number(match[1] ?? match[2]), progress: 'answering' };
  return readMilestone(line, MILESTONES);
}
