import { jsonObject } from '../../evaluation/index.ts';
import { openAiMessage, openAiTool } from '../../fix/index.ts';
import type { ChatMessage } from '../../models/index.ts';
import type { Trajectory } from './types.ts';

/** How tools stand in a row. */
export interface ToolForm {
  /** As JSON text, for versions of `datasets` that give all objects in a place the same keys. */
  toolsAsText: boolean;
}

/** A row for TRL's SFT; `null` when a call's arguments are no JSON object. */
export function trlRow(one: Trajectory, form: ToolForm): Record<string, unknown> | null {
  const messages = trlMessages(one.messages);
  return messages === null ? null : { messages, ...toolsOf(one, form) };
}

/** Messages as chat templates want them: arguments are objects, results know their tool. */
export function trlMessages(messages: readonly ChatMessage[]): Record<string, unknown>[] | null {
  const all = messages.map(trlMessage);
  const good = all.filter((message) => message !== null);
  return good.length === all.length ? good : null;
}

export function toolsOf({ tools }: Trajectory, form: ToolForm): Record<string, unknown> {
  if (tools.length === 0) return {};
  const shown = tools.map(openAiTool);
  return { tools: form.toolsAsText ? JSON.stringify(shown) : shown };
}

function trlMessage(message: ChatMessage): Record<string, unknown> | null {
  const shown = openAiMessage(message);
  if (message.role === 'tool') return { ...shown, name: message.name };
  if (message.role !== 'assistant' || (message.toolCalls ?? []).length === 0) return shown;
  const calls = (message.toolCalls ?? []).map((call) => ({
    ...{ id: call.id, type: 'function' },
    function: { name: call.name, arguments: jsonObject(call.arguments) },
  }));
  const isWhole = calls.every((call) => call.function.arguments !== null);
  return isWhole ? { ...shown, tool_calls: calls } : null;
}
