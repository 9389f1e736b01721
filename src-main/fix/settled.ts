import { z } from 'zod';
import { drivingSchema } from './driving.ts';

/**
 * A fix request after flags, files and defaults were merged. It is kept in the record, so that a
 * session can be resumed with exactly the settings it began with; it holds no secret.
 */
export const settledSchema = z.object({
  model: z.string(),
  image: z.string(),
  runtime: z.string().nullable(),
  verify: z.object({ command: z.string(), timeoutMs: z.number() }).nullable(),
  protect: z.array(z.string()),
  include: z.array(z.string()),
  attempts: z.number().int().positive(),
  parallel: z.number().int().positive(),
  seed: z.number().int(),
  maxSteps: z.number().int().positive(),
  maxContextTokens: z.number().int().positive(),
  timeLimitMs: z.number().positive(),
  /** What the model's profile says in place of the scaffold; not in older records. */
  driving: drivingSchema.nullable().optional(),
  out: z.string().nullable(),
});

export type SettledRequest = z.infer<typeof settledSchema>;
