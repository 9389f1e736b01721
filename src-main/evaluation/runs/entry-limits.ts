import type { RunSettings } from '../../contract/index.ts';
import type { Driving } from '../../fix/index.ts';
import type { Task } from '../tasks/types.ts';
import type { EntrySetup } from './types.ts';

export interface CellLimits {
  maxSteps: number;
  maxContextTokens: number;
  timeLimitMs: number;
  driving: Driving;
}

/**
 * The limits of an attempt: the run's settings, where they leave something open the profile's, then
 * the scaffold's. The time is the run's, else the task's own.
 */
export function limitsOf(
  settings: RunSettings,
  { scaffold, driving, ...profile }: EntrySetup,
  task: Pick<Task, 'agentTimeoutMs'>,
): CellLimits {
  const { limits } = scaffold;
  const given = (value: number): number | undefined => (value === 0 ? undefined : value);
  return {
    maxSteps: given(settings.maxSteps) ?? profile.maxSteps ?? limits.maxSteps,
    maxContextTokens:
      given(settings.maxContextTokens) ?? profile.maxContextTokens ?? limits.maxContextTokens,
    timeLimitMs: given(settings.timeLimitMs) ?? task.agentTimeoutMs ?? limits.timeLimitMs,
    driving: {
      sampling: { ...driving?.sampling, ...settings.sampling },
      maxTokensPerTurn: given(settings.maxTokensPerTurn) ?? driving?.maxTokensPerTurn ?? null,
      maxInputTokens: driving?.maxInputTokens ?? null,
    },
  };
}
