import { openAiMessage, openAiTool } from '../../fix/index.ts';
import type { Trajectory } from './types.ts';

/** A row as OpenAI's fine-tuning has it: arguments of calls are the text that the model wrote. */
export function openAiRow({ messages, tools }: Trajectory): Record<string, unknown> {
  return {
    messages: messages.map(openAiMessage),
    // An empty list is refused by some readers.
    ...(tools.length > 0 && { tools: tools.map(openAiTool) }),
  };
}
