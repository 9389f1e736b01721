import { z } from 'zod';
import { drivingSchema } from './driving.ts';

/** What a person named, so that the same can be asked again with another model or scaffold. */
const askedSchema = z.object({
  scaffold: z.string().optional(),
  verify: z.string().optional(),
  protect: z.array(z.string()).optional(),
  include: z.array(z.string()).optional(),
  image: z.string().optional(),
  runtime: z.string().optional(),
  attempts: z.number().optional(),
  parallel: z.number().optional(),
  maxSteps: z.number().optional(),
  maxContext: z.number().optional(),
  seed: z.number().optional(),
  timeLimitSeconds: z.number().optional(),
  history: z.boolean().optional(),
  limits: z
    .object({
      memoryBytes: z.number().optional(),
      cpus: z.number().optional(),
      pids: z.number().optional(),
      diskBytes: z.number().optional(),
      inodes: z.number().optional(),
    })
    .optional(),
});

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
  /** Tokens of each turn are asked for and kept; not in older records. */
  recordTokens: z.boolean().optional(),
  /** Not in older records. */
  asked: askedSchema.optional(),
});

export type AskedRequest = z.infer<typeof askedSchema>;
export type SettledRequest = z.infer<typeof settledSchema>;
