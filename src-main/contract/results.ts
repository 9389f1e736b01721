import { z } from 'zod';
import { exitReasonSchema } from './exit-reasons.ts';
import { leftOutSchema, patchFactsSchema, verificationSchema } from './events.ts';

/** What `vivarium fix --json` and `vivarium show ID --json` print: the result of a session. */
export const sessionResultSchema = z.object({
  sessionId: z.string(),
  outcome: z.enum([
    'running',
    'interrupted',
    'verified',
    'patched',
    'not_verified',
    'no_patch',
    'cancelled',
    'failed',
  ]),
  repository: z.string(),
  model: z.string(),
  scaffold: z.string(),
  attempts: z.array(
    z.object({
      attemptId: z.string(),
      number: z.number(),
      seed: z.number(),
      exitReason: exitReasonSchema.nullable(),
      detail: z.string().nullable(),
      steps: z.number(),
      tokens: z.object({
        prompt: z.number().nullable(),
        completion: z.number().nullable(),
        cached: z.number().nullable(),
      }),
      seconds: z.object({ model: z.number(), tools: z.number(), total: z.number() }),
      peakMemoryBytes: z.number().nullable(),
      verified: z.boolean().nullable(),
    }),
  ),
  /** The patch that is the result; `null` when nothing changed. */
  patch: z
    .object({
      attemptId: z.string(),
      /** Where it was exported; `null` when it was not. */
      file: z.string().nullable(),
      ...patchFactsSchema.shape,
      appliesToWorkingTree: z.boolean().nullable(),
      /** Parts that a review rejected: an export leaves them out. Absent when there are none. */
      rejected: z.array(z.object({ path: z.string(), header: z.string() })).optional(),
    })
    .nullable(),
  /** Left out of the patch although nothing else changed, too. */
  leftOut: z.array(leftOutSchema),
  verification: verificationSchema.nullable(),
  detail: z.string().nullable(),
});

export type SessionResult = z.infer<typeof sessionResultSchema>;

/** One row of `vivarium doctor`. */
export const doctorRowSchema = z.object({
  name: z.string(),
  state: z.enum(['ok', 'warning', 'missing', 'unknown']),
  found: z.string(),
  /** What to do; `null` when nothing is to be done. */
  remedy: z.string().nullable(),
  /** Without it `fix` can't run. */
  required: z.boolean(),
});

export type DoctorRow = z.infer<typeof doctorRowSchema>;
