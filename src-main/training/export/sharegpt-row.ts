import { jsonObject } from '../../evaluation/index.ts';
import { openAiTool } from '../../fix/index.ts';
import type { ChatMessage } from '../../models/index.ts';
import type { Trajectory } from './types.ts';

interface Turn {
  from: 'human' | 'gpt' | 'function_call' | 'observation';
  value: string;
}

/** As LLaMA-Factory's own reader of OpenAI rows joins the results of several calls. */
const BETWEEN_RESULTS = '\n</tool_response>\n<tool_response>\n';

/**
 * A row as LLaMA-Factory reads it. Calls in the text stay there; native calls become
 * `function_call`, their results one `observation`. `null` when a call's arguments are no JSON
 * object, which this form cannot hold.
 */
export function sharegptRow({ messages, tools }: Trajectory): Record<string, unknown> | null {
  const [first] = messages;
  const system = first?.role === 'system' ? first.content : '';
  const turns: Turn[] = [];
  let isResult = false;
  for (const message of first?.role === 'system' ? messages.slice(1) : messages) {
    const turn = turnOf(message);
    if (turn === null) return null;
    const before = turns.at(-1);
    if (isResult && message.role === 'tool' && before !== undefined) {
      before.value += BETWEEN_RESULTS + turn.value;
    } else turns.push(turn);
    isResult = message.role === 'tool';
  }
  return {
    conversations: turns,
    system,
    // Text, since the columns of a file have one type each.
    tools: tools.length === 0 ? '' : JSON.stringify(tools.map(openAiTool)),
  };
}

function turnOf(message: ChatMessage): Turn | null {
  if (message.role === 'tool') return { from: 'observation', value: message.content };
  if (message.role !== 'assistant') return { from: 'human', value: message.content };
  const { toolCalls = [], content } = message;
  if (toolCalls.length === 0) return { from: 'gpt', value: thought(message.reasoning) + content };
  const calls = toolCalls.map((call) => ({
    name: call.name,
    arguments: jsonObject(call.arguments),
  }));
  if (calls.some((call) => call.arguments === null)) return null;
  // Between these marks its reader looks for calls; in JSON they can be written without them.
  const value = JSON.stringify(calls.length === 1 ? calls[0] : calls).replaceAll(
    /<(\/?tool_call>)/g,
    String.raw`\u003c$1`,
  );
  // What else stands beside a call makes its reader fail: only the thought may.
  return { from: 'function_call', value: thought(message.reasoning) + value };
}

/** Whether a message says something that stands in no row. */
export function saysBesideCalls(message: ChatMessage): boolean {
  if (message.role !== 'assistant' || (message.toolCalls ?? []).length === 0) return false;
  return message.content.trim() !== '';
}

/** A thought that holds marks itself would end early, and its rest be read as the reply or a call. */
function thought(reasoning: string | undefined): string {
  if (reasoning === undefined || reasoning === '' || /<\/?(think|tool_call)>/.test(reasoning))
    return '';
  return `<think>\n${reasoning}\n</think>\n\n`;
}
