import { z } from 'zod';
import { baseOfSeed } from '../../../lib/index.ts';
import { faultOfHistory, messageSchema } from './history.ts';
import type { Script, ScriptFault, ScriptReply } from './format.ts';

/** What of a request decides the answer. */
export const requestSchema = z.object({
  model: z.string().optional(),
  messages: z.array(messageSchema),
  seed: z.number().nullish(),
  stream: z.boolean().nullish(),
  max_tokens: z.number().nullish(),
  max_completion_tokens: z.number().nullish(),
});

export type ScriptRequest = z.infer<typeof requestSchema>;

export type Choice =
  | { kind: 'reply'; reply: ScriptReply }
  | { kind: 'fault'; fault: ScriptFault; reply: ScriptReply | null }
  | { kind: 'refuse'; status: number; message: string; code: string };

/** Picks the answer to a request; counts requests only to let faults happen as often as asked. */
export function createChooser(script: Script): (request: ScriptRequest) => Choice {
  const served = new Map<string, number>();
  return (request) => {
    if (request.model !== undefined && request.model !== script.model) {
      return refuse(404, `the script's model is "${script.model}"`, 'model_not_found');
    }
    const fault = faultOfHistory(request.messages);
    if (fault !== null) return refuse(400, fault, 'malformed_history');
    const base = typeof request.seed === 'number' ? baseOfSeed(request.seed) : null;
    const seed = script.sections.has(base) ? base : null;
    const index = request.messages.filter((message) => message.role === 'assistant').length;
    const turns = script.sections.get(seed) ?? [];
    const turn = turns[index];
    if (!turn) return atEnd(turns.length);
    const key = `${String(seed)}:${String(index)}`;
    const before = served.get(key) ?? 0;
    served.set(key, before + 1);
    const planned = turn.faults[before];
    if (planned) return { kind: 'fault', fault: planned, reply: turn.reply };
    if (!turn.reply) return atEnd(index);
    return windowRefusal(script, request, turn.reply) ?? { kind: 'reply', reply: turn.reply };
  };
}

/** 410 rather than 400, which clients try again. */
function atEnd(replies: number): Choice {
  const message = `the script is at its end: it has ${String(replies)} replies for this attempt and one more was asked for`;
  return refuse(410, message, 'script_at_end');
}

/** Refuses in vLLM's words when the counts the script states do not fit the window it states. */
function windowRefusal(script: Script, request: ScriptRequest, reply: ScriptReply): Choice | null {
  const window = script.contextTokens;
  const prompt = reply.usage?.prompt_tokens;
  const wanted = request.max_tokens ?? request.max_completion_tokens ?? 1;
  if (window === null || prompt === undefined || prompt + wanted <= window) return null;
  const message =
    `This model's maximum context length is ${String(window)} tokens. However, you requested ` +
    `${String(prompt + wanted)} tokens (${String(prompt)} in the messages, ${String(wanted)} in the completion).`;
  return refuse(400, message, 'context_length_exceeded');
}

function refuse(status: number, message: string, code: string): Choice {
  return { kind: 'refuse', status, message, code };
}
