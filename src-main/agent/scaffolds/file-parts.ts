import { z } from 'zod';

export const positive = z.number().int().positive();

/** Limits that a file of any scaffold may set. */
export const limitsShape = {
  maxSteps: positive,
  maxContextTokens: positive,
  maxTokensPerTurn: positive,
  timeLimitSeconds: z.number().positive(),
};

/** Sampling of a scaffold file; taken as a whole, members that are left out go unsent. */
export const fileSampling = z
  .strictObject({
    temperature: z.number().min(0),
    topP: z.number().min(0).max(1),
    topK: z.number().int().min(0),
    minP: z.number().min(0).max(1),
    presencePenalty: z.number(),
    repetitionPenalty: z.number().positive(),
    templateArguments: z.record(z.string(), z.unknown()),
  })
  .partial();
