import { z } from 'zod';

/** How tokens are drawn. What is left out is the server's own. */
export const samplingSchema = z.strictObject({
  temperature: z.number().min(0).optional(),
  topP: z.number().min(0).max(1).optional(),
  topK: z.number().int().min(0).optional(),
  minP: z.number().min(0).max(1).optional(),
  presencePenalty: z.number().optional(),
  repetitionPenalty: z.number().positive().optional(),
  seed: z.number().int().optional(),
  /** Passed to the chat template, e.g. `{ enable_thinking: true }`. */
  templateArguments: z.record(z.string(), z.unknown()).optional(),
});
