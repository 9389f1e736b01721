import { z } from 'zod';

const callSchema = z.object({
  id: z.string().min(1),
  function: z.object({ name: z.string().min(1), arguments: z.string() }),
});

export const messageSchema = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string().nullish(),
  tool_calls: z.array(callSchema).min(1).optional(),
  tool_call_id: z.string().optional(),
});

export type WireMessage = z.infer<typeof messageSchema>;

/**
 * What a real server would object to in a history, or `null`: calls without their answers, answers
 * without their call, arguments that are no JSON object. Checked here so that scripted runs prove
 * that histories stay well-formed (L01).
 */
export function faultOfHistory(messages: readonly WireMessage[]): string | null {
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    const where = `messages[${String(index)}]`;
    if (message.role === 'tool') {
      const id = message.tool_call_id ?? '';
      if (!open.includes(id)) return `${where} answers no open call`;
      open = open.filter((each) => each !== id);
      continue;
    }
    if (open.length > 0) return `${where} comes before the answer to call ${String(open[0])}`;
    if (!message.tool_calls) continue;
    open = message.tool_calls.map((call) => call.id);
    if (new Set(open).size < open.length) return `${where} has two calls with one id`;
    const bad = message.tool_calls.find((call) => !isObject(call.function.arguments));
    if (bad) return `${where} has arguments that are not a JSON object`;
  }
  return open.length > 0 ? `the answer to call ${String(open[0])} is missing` : null;
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
