import { z } from 'zod';
import { fileSampling, limitsShape } from './file-parts.ts';

const words = z.strictObject({
  description: z.string().optional(),
  /** Description of each parameter, by its name. */
  parameters: z.record(z.string(), z.string()).optional(),
});

/**
 * A scaffold file: everything the model reads and the limits it works under. What is left out is
 * Leaf's. `sampling` is taken as a whole: members that are left out go unsent.
 */
export const scaffoldFileSchema = z.strictObject({
  extends: z.literal('leaf').optional(),
  name: z.string().min(1).optional(),
  /** Free text for people; not shown to the model. */
  about: z.string().optional(),
  /** System prompt; empty for none. */
  system: z.string().optional(),
  /** User message; `{{task}}` is the task's text. */
  user: z.string().includes('{{task}}').optional(),
  tools: z
    .strictObject({
      Read: words.optional(),
      Write: words.optional(),
      Edit: words.optional(),
      Glob: words.optional(),
      Bash: words.optional(),
    })
    .optional(),
  /** Off: the request carries no tool list (for models that know their tools by heart). */
  advertise: z.boolean().optional(),
  /** Off: observations are Leaf's own, byte for byte, without our help. */
  help: z.boolean().optional(),
  nudges: z
    .strictObject({ empty: z.string(), format: z.string(), cut: z.string() })
    .partial()
    .optional(),
  limits: z
    .strictObject({
      ...limitsShape,
    })
    .partial()
    .optional(),
  sampling: fileSampling.optional(),
});

export type ScaffoldFile = z.infer<typeof scaffoldFileSchema>;
