import { z } from 'zod';
import { fileSampling, limitsShape, positive } from '../file-parts.ts';

/** A scaffold file that builds on R2E-Gym. What is left out is R2E-Gym's. */
export const r2egymFileSchema = z.strictObject({
  extends: z.literal('r2egym'),
  name: z.string().min(1).optional(),
  about: z.string().optional(),
  system: z.string().optional(),
  /** `{{task}}` is the task's text, `{{root}}` the folder of the repository. */
  user: z.string().includes('{{task}}').optional(),
  /** Where the repository lies in the workspace. */
  root: z.string().startsWith('/').optional(),
  /** First words of commands that are refused. */
  blocked: z.array(z.string().min(1)).optional(),
  commandSeconds: z.number().positive().optional(),
  /** Old observations give way to a placeholder above so many tokens; `false`: never. */
  condenseAboveTokens: z.union([positive, z.literal(false)]).optional(),
  help: z.boolean().optional(),
  nudges: z
    .strictObject({ noCall: z.string(), format: z.string(), cut: z.string() })
    .partial()
    .optional(),
  limits: z
    .strictObject({
      /** Steps that are announced to the model. */
      softSteps: positive,
      ...limitsShape,
    })
    .partial()
    .optional(),
  sampling: fileSampling.optional(),
});

export type R2egymFile = z.infer<typeof r2egymFileSchema>;
