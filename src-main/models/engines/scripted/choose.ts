import { z } from 'zod';
import { baseOfSeed } from '../../../lib/index.ts';
import { faultOfHistory, messageSchema } from './history.ts';
import type { Script, ScriptFault, ScriptReply, ScriptSection } from './format.ts';

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
    const section = sectionOf(script, request);
    const index = request.messages.filter((message) => message.role === 'assistant').length;
    const turn = section?.turns[index];
    if (!section || !turn) return atEnd(section?.turns.length ?? 0);
    const key = `${String(script.sections.indexOf(section))}:${String(index)}`;
    const before = served.get(key) ?? 0;
    served.set(key, before + 1);
    const planned = turn.faults[before];
    if (planned) return { kind: 'fault', fault: planned, reply: turn.reply };
    if (!turn.reply) return atEnd(index);
    return windowRefusal(script, request, turn.reply) ?? { kind: 'reply', reply: turn.reply };
  };
}

/** The section that says most about the attempt: its first message counts before its seed. */
function sectionOf(script: Script, request: ScriptRequest): ScriptSection | undefined {
  const base = typeof request.seed === 'number' ? baseOfSeed(request.seed) : null;
  const first = request.messages.find(({ role }) => role === 'user')?.content ?? '';
  const fitting = script.sections.filter(
    ({ when, seed }) => (when === null || first.includes(when)) && (seed === null || seed === base),
  );
  const weight = ({ when, seed }: ScriptSection): number =>
    (when === null ? 0 : 2) + (seed === null ? 0 : 1);
  return fitting.toSorted((a, b) => weight(b) - weight(a))[0];
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
