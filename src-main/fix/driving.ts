import { z } from 'zod';
import type { Scaffold } from '../agent/index.ts';
import { samplingSchema } from '../contract/index.ts';

/** How a model's profile wants it driven where that differs from the scaffold. */
export const drivingSchema = z.object({
  /** Taken member by member over the scaffold's. */
  sampling: samplingSchema,
  /** `null` = the scaffold's. */
  maxTokensPerTurn: z.number().int().positive().nullable(),
  /** Most tokens of a prompt; `null` = only the window limits it. */
  maxInputTokens: z.number().int().positive().nullable(),
});

export type Driving = z.infer<typeof drivingSchema>;

/** The scaffold with the sampling and the length of a turn that the model's profile names. */
export function drivenBy(scaffold: Scaffold, driving: Driving | null): Scaffold {
  if (driving === null) return scaffold;
  const given = Object.entries(driving.sampling).filter(([, value]) => value !== undefined);
  const { maxTokensPerTurn, maxInputTokens } = driving;
  return {
    ...scaffold,
    sampling: { ...scaffold.sampling, ...Object.fromEntries(given) },
    limits: {
      ...scaffold.limits,
      ...(maxTokensPerTurn !== null && { maxTokensPerTurn }),
      ...(maxInputTokens !== null && { maxInputTokens }),
    },
  };
}
