import type { ModelProfile } from '../servers/types.ts';
import type { Sampling } from '../types.ts';

/** How the agent loop drives a model, as its profile says. */
export interface Driving {
  /** Name or path of the scaffold. */
  scaffold: string;
  limits: {
    maxSteps: number;
    /** With an input limit: what a prompt at that limit and its reply come to. */
    maxContextTokens: number;
    maxTokensPerTurn: number;
    /** Most prompt tokens of a turn; `null` = only the window limits it. */
    maxInputTokens: number | null;
  };
  /** Members to lay over the scaffold's; none = the scaffold's as they are. */
  sampling: Sampling;
}

/** What `fix` takes from a profile: below the request's own flags, above the scaffold's values. */
export function drivingOf(profile: ModelProfile): Driving {
  const { scaffold, steps, contextTokens, inputTokens, tokensPerTurn, sampling } = profile;
  const trained = inputTokens === null ? contextTokens : inputTokens + tokensPerTurn;
  return {
    scaffold,
    limits: {
      maxSteps: steps,
      maxContextTokens: Math.min(contextTokens, trained),
      maxTokensPerTurn: tokensPerTurn,
      maxInputTokens: inputTokens,
    },
    sampling: structuredClone(sampling),
  };
}
