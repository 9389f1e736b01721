import { openAiMessage } from '../../fix/index.ts';
import { toolsOf, type ToolForm } from './trl-row.ts';
import type { Trajectory } from './types.ts';

/** A row as OpenAI's fine-tuning has it: arguments of calls are the text that the model wrote. */
export function openAiRow(attempt: Trajectory, form: ToolForm): Record<string, unknown> {
  return {
    messages: attempt.messages.map(openAiMessage),
    // An empty list is refused by some readers.
    ...toolsOf(attempt, form),
  };
}
